import ArgumentParser

/// Commands for events that the operator's own service, or the mail server, does not accept.
struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List accounts with pending events, retry them, or skip an event.",
        discussion: "A server may run on the store at the same time. Only a server sends events.",
        subcommands: [ListEvents.self, RetryEvents.self, SkipEvent.self], defaultSubcommand: ListEvents.self
    )
}
