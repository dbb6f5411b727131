import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct LinkCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Add a sign-in method.",
        discussion: """
            Opens the server's page for it in your browser; --no-browser only shows the address. With --dev-user or \
            --id-token-file nothing is opened, and you must have proved who you are within the last 10 minutes, with \
            `photolala reauthenticate`. Without options it lists what is linked. On a machine without a browser, link on \
            the server's own page in any browser.
            """
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pending: PendingOption
    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> LinksResult {
        if identity.isEmpty, !pending.pending {
            return LinksResult(
                linkedProviders: try await context.session.linkedAccounts(), summary: "Your account opens with:"
            )
        }
        if identity.usesBrowser, !pending.pending {
            let links = try await identity.browser(in: context.session).link()
            return LinksResult(linkedProviders: links, summary: "Linked. Your account opens with:")
        }
        let proven = try await pending.identity(identity, for: .link, in: context.session)
        let links = try await context.session.link(proven)
        return LinksResult(linkedProviders: links, summary: "Linked. Your account opens with:")
    }
}
