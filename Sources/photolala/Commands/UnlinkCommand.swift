import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct UnlinkCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Remove a sign-in method.",
        discussion: """
            Ends the sessions that were signed in with it, except this one. The last sign-in method cannot be removed. \
            Requires authentication within the last 10 minutes, as `photolala link` does.

            A sign-in method is removed after a delay (24 hours by default) if the account was created with it, if this \
            session was signed in with it, if it was linked before the one of this session, or while a method linked on \
            another device is new. Until then it can still sign in, and signing in with it or --undo cancels the \
            unlinking. After the delay its sessions end, including this one if it used that method.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Provider, or link ID if the provider is linked more than once.", valueName: "provider-or-link-id"
        ), completion: .list(ProviderName.builtIn.map(\.description)))
    var link: String

    @Flag(help: "Cancel a pending unlinking. Requires no recent authentication.")
    var undo = false

    @OptionGroup var common: CommonOptions

    func validate() throws { try TextChecks.check(link, of: "PROVIDER", expects: "a provider or link ID") }

    func perform(_ context: CommandContext) async throws -> LinksResult {
        let links = try await context.session.linkedAccounts()
        let only = try choose(among: links)
        if undo, only.unlinksAt == nil {
            return LinksResult(
                linkedProviders: links, summary: "No unlinking of \(only.provider) was pending. Sign-in methods:")
        }
        if undo {
            let links = try await context.session.undoUnlink(only.linkID)
            return LinksResult(linkedProviders: links, summary: "Unlinking cancelled. Sign-in methods:")
        }
        let left = try await unlink(only, of: links, in: context.session)
        let date = left.first { $0.linkID == only.linkID }?.unlinksAt
        let done =
            date.map { "\(only.provider) will be unlinked on \(DateText.zonedMinute($0))." }
            ?? "\(only.provider) unlinked."
        return LinksResult(linkedProviders: left, summary: "\(done) Sign-in methods:")
    }

    private func unlink(
        _ link: LinkedProvider, of links: [LinkedProvider], in session: PhotolalaSession
    ) async throws -> [LinkedProvider] {
        do throws(PhotolalaError) { return try await session.unlink(link.linkID) } catch {
            let pending = links.filter { $0.unlinksAt != nil && $0.linkID != link.linkID }
            guard error.code == .lastProvider, !pending.isEmpty else { throw error }
            throw CommandFailure(error, advice: Advice.lastProvider(pending: pending))
        }
    }

    private func choose(among links: [LinkedProvider]) throws -> LinkedProvider {
        let chosen = links.filter { [$0.linkID.description, $0.provider.description].contains(link.lowercased()) }
        guard let only = chosen.first else {
            throw CommandFailure(
                "No such sign-in method: \(link).", code: .notFound,
                advice: ["Sign-in methods:"] + LinkedProviderLines.lines(links)
            )
        }
        guard chosen.count == 1 else {
            throw CommandFailure(
                "\(link) is linked more than once. Use the link ID.",
                advice: LinkedProviderLines.lines(chosen), status: .wrongUsage
            )
        }
        return only
    }
}
