// Public API follows.
