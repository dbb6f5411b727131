import ArgumentParser

/// Commands for events that the operator's own service does not accept.
struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show which accounts have events to send, try them again, or skip one.",
        discussion: "A server may run on the store meanwhile; it is the server that sends.",
        subcommands: [ListEvents.self, RetryEvents.self, SkipEvent.self], defaultSubcommand: ListEvents.self
    )
}
