import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct UnlinkCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Take a provider away from your account.",
        discussion: """
            The last one stays. Sessions that were opened with it end, except this one. Needs a proof of the last 10 \
            minutes, as `photolala link` does.

            The provider with which you created the account is unlinked after a delay (24 hours, unless the server has \
            another), and so is any provider while one is new that another device linked. Until then it still signs in, and \
            signing in with it or --undo keeps it. When it takes effect its sessions end, this one too if it opened it.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The provider, or the link's id where two links have one provider.", valueName: "provider-or-link-id"
        ))
    var link: String

    @Flag(help: "Keep a provider that is about to be unlinked. Needs no recent proof.")
    var undo = false

    @OptionGroup var common: CommonOptions

    func validate() throws { try TextChecks.check(link, of: "What to unlink", takes: "a provider or link") }

    func perform(_ context: CommandContext) async throws -> LinksResult {
        let links = try await context.session.linkedAccounts()
        let only = try choose(among: links)
        if undo {
            let kept = try await context.session.undoUnlink(only.linkID)
            return LinksResult(linkedProviders: kept, summary: "Kept. Your account opens with:")
        }
        let left = try await unlink(only, of: links, in: context.session)
        let date = left.first { $0.linkID == only.linkID }?.unlinksAt
        let done = date.map { "\(only.provider) will be unlinked at \(DateText.zonedMinute($0))." } ?? "Unlinked."
        return LinksResult(linkedProviders: left, summary: "\(done) Your account opens with:")
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
        let chosen = links.filter { $0.linkID.description == link.lowercased() || $0.provider.description == link }
        guard let only = chosen.first else {
            throw CommandFailure(
                "No sign-in method “\(link)”.", code: .notFound,
                advice: ["It opens with:"] + LinkedProviderLines.lines(links)
            )
        }
        guard chosen.count == 1 else {
            throw CommandFailure(
                "\(link) is linked more than once; name the link by its id.",
                advice: LinkedProviderLines.lines(chosen), status: .wrongUsage
            )
        }
        return only
    }
}
