import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct LinkCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Let another provider open your account.",
        discussion: """
            You must have proved who you are within the last 10 minutes: by signing in, or with \
            `photolala reauthenticate`. Without --provider it lists what is linked.
            """
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pending: PendingOption
    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> LinksResult {
        if identity.provider == nil, !pending.pending {
            return LinksResult(
                linkedProviders: try await context.session.linkedAccounts(), summary: "Your account opens with:"
            )
        }
        let proven = try await pending.identity(identity, for: .link, in: context.session)
        let links = try await context.session.link(proven)
        return LinksResult(linkedProviders: links, summary: "Linked. Your account opens with:")
    }
}
