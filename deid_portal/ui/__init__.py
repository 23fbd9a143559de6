"""The look of the portal: components, icons and charts, rendered on the server."""
