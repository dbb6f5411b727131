import Hummingbird
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The page with a single photo at full size.
struct PhotoPage: Sendable {
    let context: PageContext
    let account: AccountPages
    let purge: PurgePages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage("/library/photo", on: router) { try await show($0) }
        // Signed URLs in the page would expire before the person returns to it, so these redirect.
        account.mountPage("/library/original", on: router) { try await send(to: PhotoLink.original, $0) }
        account.mountPage("/library/download", on: router) { try await send(to: PhotoLink.download, $0) }
        account.mountAction(ArchivedPhoto.path, on: router) { try await recall($0, $1) }
    }

    private func recall(_ page: AccountPage, _ form: Form) async throws -> Response {
        guard let photo = form["id"].flatMap({ ContentDigest($0) }) else { throw ServiceError.notFound }
        let list = form["list"].flatMap { PhotoList(rawValue: $0) } ?? .photos
        let request = try ArchiveOptions.request(form)
        // Only what the library shows.
        let timeline = (try await context.services.library.showLibrary(page.caller)).timeline(list)
        guard timeline.index(of: photo) != nil else { throw ServiceError.notFound }
        let result = try await context.services.library.requestRetrieval(of: photo, request, caller: page.caller)
        return context.redirect(
            to: ArchivedPhoto.pagePath(photo, list, ArchivedPhoto.Outcome(result, request.tier)))
    }

    private func send(
        to link: @Sendable (CatalogEntry) -> PhotoLink, _ page: AccountPage
    ) async throws -> Response {
        let (list, timeline) = try await timeline(page)
        let photo = timeline.photos[try index(page, in: timeline)]
        guard try await context.services.library.archiveState(of: photo.md5, caller: page.caller) == .readable else {
            return context.redirect(to: ArchivedPhoto.pagePath(photo.md5, list))
        }
        let links = try await context.services.library.presignedURLs([link(photo)], caller: page.caller)
        return context.redirect(to: links.urls[0])
    }

    private func timeline(_ page: AccountPage) async throws -> (PhotoList, Timeline) {
        let list = page.query["list"].flatMap { PhotoList(rawValue: $0) } ?? .photos
        return (list, (try await context.services.library.showLibrary(page.caller)).timeline(list))
    }

    private func index(_ page: AccountPage, in timeline: Timeline) throws -> Int {
        guard let id = page.query["id"].flatMap({ ContentDigest($0) }), let index = timeline.index(of: id) else {
            throw ServiceError.notFound
        }
        return index
    }

    private func show(_ page: AccountPage) async throws -> Response {
        let (list, timeline) = try await timeline(page)
        let index = try index(page, in: timeline)
        let (entry, texts) = (timeline.photos[index], page.browserRequest.texts)
        let isShown = entry.type.isShownByBrowsers
        let archived = ArchivedPhoto(
            entry: entry, state: try await context.services.library.archiveState(of: entry.md5, caller: page.caller),
            list: list, outcome: page.query["archive"].flatMap { ArchivedPhoto.Outcome(rawValue: $0) }, texts: texts)
        let hasPreview = try await context.services.library.hasPreview(entry.md5, caller: page.caller)
        let links = try await context.services.library.presignedURLs(
            [.thumbnail(entry.md5), .preview(entry.md5)], caller: page.caller)
        let blocks = TimelineBlocks(timeline)
        let query = "?id=\(entry.md5)&list=\(list)"
        var content: [String: any Sendable] = [
            "name": entry.path.name, "original": "/library/original\(query)", "thumbnail": links.urls[0],
            "download": "/library/download\(query)", "facts": facts(entry, texts).map { ["text": $0] },
            "path": entry.path.description, "alt": "\(entry.path.name), \(texts.day(entry.date.date))",
            "md5": entry.md5.description, "action": list.action, "isTrash": list == .trash, "formToken": page.formToken,
            "from": String(blocks.block(of: index)), "list": list.path,
            "isVideo": entry.type.isVideo, "isShown": isShown, "module": context.pages.asset("library.js"),
        ]
        content["archive"] = archived.content
        if hasPreview { content["preview"] = links.urls[1] }
        // A photo with a preview is shown; a video still needs a program that plays it.
        content["isDownloadAdvised"] = !isShown && (entry.type.isVideo || !hasPreview)
        if list == .trash { content.merge(purge.content(page)) { first, _ in first } }
        let (newer, older) = (
            index > 0 ? timeline.photos[index - 1] : nil,
            index + 1 < timeline.photos.count ? timeline.photos[index + 1] : nil
        )
        if let newer { content["newer"] = ArchivedPhoto.pagePath(newer.md5, list) }
        if let older { content["older"] = ArchivedPhoto.pagePath(older.md5, list) }
        if let near = older ?? newer {
            content["near"] = near.md5.description
            content["nearBlock"] = String(blocks.block(of: older == nil ? index - 1 : index + 1, without: index))
        }
        return try context.page(
            "photo", content, page, section: list == .trash ? .trash : .photos,
            policy: PagePolicy(formActions: ["'self'"], store: links.origin, hasScripts: true))
    }

    private func facts(_ entry: CatalogEntry, _ texts: LocalizedStrings) -> [String] {
        let isTurned = (entry.media.orientation ?? 1) >= 5
        let pixels = entry.media.width.flatMap { width in
            entry.media.height.map { isTurned ? "\($0)\u{a0}×\u{a0}\(width)" : "\(width)\u{a0}×\u{a0}\($0)" }
        }
        let offset = entry.taken?.offset.map { "\u{a0}(UTC\(CaptureDate.text(of: $0)))" } ?? ""
        return ["\(texts.time(entry.date.date))\(offset)", texts.size(entry.size), pixels].compactMap { $0 }
    }
}

extension PhotoCatalog.MediaType {
    /// Whether common browsers can display this type.
    fileprivate var isShownByBrowsers: Bool {
        let kinds: [PhotoCatalog.MediaType] = [.jpeg, .png, .gif, .webp, .avif, .mp4, .webm, .quickTime]
        return kinds.contains(self)
    }
}
