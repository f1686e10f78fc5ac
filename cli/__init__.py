"""The `daide` command: finds the subcommand and imports only that one."""
