"""What commands share that read or make releases."""
