package io.sallyport.grant;

/** News for the rooms above: flows are cut and leases dropped. Published in memory first, before anything is written. */
public record GrantEnded(Grant grant, EndReason reason) {}
