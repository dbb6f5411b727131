import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct UnlinkCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Take a provider away from your account.",
        discussion: """
            The last one stays. Sessions that were opened with it end, except this one. Needs a proof of the last 10 \
            minutes, as `photolala link` does.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The provider, or the link's id where two links have one provider.", valueName: "provider-or-link-id"
        ))
    var link: String

    @OptionGroup var common: CommonOptions

    func validate() throws { try Texts.check(link, of: "What to unlink", takes: "a provider or link") }

    func perform(_ context: CommandContext) async throws -> LinksResult {
        let links = try await context.session.linkedAccounts()
        let chosen = links.filter { $0.linkID.description == link.lowercased() || $0.provider.description == link }
        guard let only = chosen.first else {
            throw CommandFailure(
                "Nothing like “\(link)” opens your account.", code: .notFound,
                advice: ["It opens with:"] + LinkedProviderLines.lines(links)
            )
        }
        guard chosen.count == 1 else {
            throw CommandFailure(
                "\(link) is linked more than once; name the link by its id.",
                advice: LinkedProviderLines.lines(chosen), status: .wrongUsage
            )
        }
        let left = try await context.session.unlink(only.linkID)
        return LinksResult(linkedProviders: left, summary: "Unlinked. Your account opens with:")
    }
}
