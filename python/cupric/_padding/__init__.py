"""Arrays with a border."""
