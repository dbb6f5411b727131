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
        let before = try await context.session.linkedAccounts()
        if identity.isEmpty, !pending.pending {
            return LinksResult(linkedProviders: before, summary: "Sign-in methods:")
        }
        let links = try await link(in: context.session)
        let isNew = !Set(links.map(\.linkID)).isSubset(of: before.map(\.linkID))
        let done = isNew ? "Sign-in method linked." : "This identity was already linked."
        return LinksResult(linkedProviders: links, summary: "\(done) Sign-in methods:")
    }

    private func link(in session: PhotolalaSession) async throws -> [LinkedProvider] {
        if identity.usesBrowser, !pending.pending { return try await identity.browser(in: session).link() }
        return try await session.link(try await pending.identity(identity, for: .link, in: session))
    }
}
