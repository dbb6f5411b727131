import Flows
import Hummingbird
import PhotoLibrary

/// One photo, as large as the page.
struct PhotoPage: Sendable {
    let desk: Desk
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.show("/library/photo", on: router) { try await show($0) }
    }

    private func show(_ page: AccountPage) async throws -> Response {
        let list = page.query["list"].flatMap { PhotoList(rawValue: $0) } ?? .photos
        let library = try await desk.services.library(page.caller)
        let timeline = list.timeline(of: library)
        guard let id = page.query["id"].flatMap({ ContentDigest($0) }), let index = timeline.index(of: id) else {
            throw FlowError.notFound
        }
        let (entry, texts) = (timeline.photos[index], page.visit.texts)
        let isShown = entry.type.isShownByBrowsers
        let links = try await desk.services.link(
            [isShown ? .original(entry) : .thumbnail(entry.md5), .download(entry)], caller: page.caller)
        var content: [String: any Sendable] = [
            "name": entry.path.name, "link": links.urls[0], "download": links.urls[1],
            "facts": facts(entry, texts).map { ["text": $0] }, "path": entry.path.description,
            "alt": "\(entry.path.name), \(texts.day(entry.date.date))", "md5": entry.md5.description,
            "action": list.act, "isTrash": list == .trash, "formToken": page.formToken,
            "from": String(TimelineBlocks(timeline).block(of: index)), "list": list.path,
            "isVideo": entry.type.isVideo, "isShown": isShown, "module": Pages.asset("library.js"),
        ]
        if index > 0 { content["newer"] = Self.path(timeline.photos[index - 1], list) }
        if index + 1 < timeline.photos.count { content["older"] = Self.path(timeline.photos[index + 1], list) }
        return try desk.page(
            "photo", content, page.visit, section: .library,
            policy: PagePolicy(formActions: ["'self'"], store: links.origin, hasScripts: true))
    }

    private static func path(_ entry: CatalogEntry, _ list: PhotoList) -> String {
        "/library/photo?id=\(entry.md5)&list=\(list)"
    }

    private func facts(_ entry: CatalogEntry, _ texts: Texts) -> [String] {
        let pixels = entry.media.width.flatMap { width in entry.media.height.map { "\(width) × \($0)" } }
        return [texts.time(entry.date.date), texts.size(entry.size), pixels].compactMap { $0 }
    }
}

extension PhotoLibrary.MediaType {
    /// Whether browsers show it, as far as one can know.
    fileprivate var isShownByBrowsers: Bool {
        let kinds: [PhotoLibrary.MediaType] = [.jpeg, .png, .gif, .webp, .avif, .mp4, .webm, .quickTime]
        return kinds.contains(self)
    }
}
