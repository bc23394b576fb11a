// The hash of a file, taken in this browser: the file itself goes nowhere. Without scripts the field stays hidden.
(() => {
  const file = document.getElementById('file');
  const field = document.getElementById('sha256');
  if (!file || !field || !window.crypto || !window.crypto.subtle) return;
  file.closest('.field').hidden = false;
  file.addEventListener('change', async () => {
    if (!file.files.length) return;
    field.value = 'hashing…';
    const digest = await crypto.subtle.digest('SHA-256', await file.files[0].arrayBuffer());
    field.value = Array.from(new Uint8Array(digest), b => b.toString(16).padStart(2, '0')).join('');
  });
})();
