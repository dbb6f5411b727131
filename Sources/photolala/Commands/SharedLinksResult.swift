import Foundation
import PhotolalaClient

/// Shared links of the account.
struct SharedLinksResult: CommandResult {
    let links: [ListedSharedLink]
    let now: Date

    private enum CodingKeys: CodingKey { case links }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(links, forKey: .links)
    }

    var text: String {
        guard !links.isEmpty else { return "No links yet. Create one:  photolala share create --album NAME" }
        return links.map { link in
            let (title, address) = (Terminal.sanitized(link.title), Terminal.sanitized(link.address))
            return "\(link.id)  “\(title)”, \(facts(of: link))\n    \(address)"
        }.joined(separator: "\n")
    }

    private func facts(of link: ListedSharedLink) -> String {
        [
            link.photos.map(Counted.photos) ?? "album", Counted.text(link.views, "view"), state(of: link),
            link.hasPassword ? "password" : nil, link.allowsDownloads ? "downloads" : nil,
            link.includesLocation ? "location" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// Returns why a link does not open or, if it opens, until when.
    private func state(of link: ListedSharedLink) -> String {
        if link.isDisabled { return "disabled by the operator" }
        guard let end = link.expiresAt else { return "does not expire" }
        return end <= now ? "expired" : "until \(DateText.minute(end))"
    }
}
