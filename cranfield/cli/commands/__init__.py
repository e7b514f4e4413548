"""The commands: each is the function of its last word in the module that `cranfield.cli.tree` names."""
