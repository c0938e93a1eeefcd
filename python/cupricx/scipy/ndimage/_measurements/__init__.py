"""What is labelled: components, and measures of them."""
