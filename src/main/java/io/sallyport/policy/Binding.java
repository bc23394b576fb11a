package io.sallyport.policy;

/** What ties a grant to whoever may use it, by its policy. */
public enum Binding {
    /** A task token, from one source address. */
    ADDRESS,
    /** A listener of the task's own: whoever reaches it has the grant, and the task token opens nothing at the hop. */
    LISTENER
}
