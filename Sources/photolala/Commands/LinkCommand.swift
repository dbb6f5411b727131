import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct LinkCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Add a sign-in method.",
        discussion: """
            Opens the server's page in your browser; --no-browser prints the URL instead. Without options, lists the \
            linked sign-in methods. --dev-user and --id-token-file use no browser and require authentication within the \
            last 10 minutes; run `photolala reauthenticate` first. On a machine without a browser, use the server's \
            account page in a browser on another device.
            """
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pending: PendingOption
    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> LinksResult {
        if identity.isEmpty, !pending.pending {
            return LinksResult(
                linkedProviders: try await context.session.linkedAccounts(), summary: "Sign-in methods:"
            )
        }
        if identity.usesBrowser, !pending.pending {
            let links = try await identity.browser(in: context.session).link()
            return LinksResult(linkedProviders: links, summary: "Sign-in method linked. Sign-in methods:")
        }
        let proven = try await pending.identity(identity, for: .link, in: context.session)
        let links = try await context.session.link(proven)
        return LinksResult(linkedProviders: links, summary: "Sign-in method linked. Sign-in methods:")
    }
}
