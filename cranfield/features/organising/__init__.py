"""A collection set up and delivered in the browser: uploads, pools, guidelines, people, links, downloads."""
