import Foundation
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
        account.mountPage("/library/download", on: router) {
            try await send(to: { .download($0, name: $0.path.name) }, $0)
        }
        account.mountAction(ArchivedPhoto.path, on: router) { try await recall($0, $1) }
    }

    private func recall(_ page: AccountPage, _ form: Form) async throws -> Response {
        guard let photo = form["id"].flatMap({ ContentDigest($0) }) else { throw ServiceError.notFound }
        let query = try query { form[$0] }
        let request = try ArchiveOptions.request(form)
        // Only what the library shows.
        let timeline = (try await context.services.library.showLibrary(page.caller)).timeline(query.list)
        guard timeline.index(of: photo) != nil else { throw ServiceError.notFound }
        let result = try await context.services.library.requestRetrieval(of: photo, request, caller: page.caller)
        return context.redirect(to: query.path(of: photo, archive: ArchivedPhoto.Outcome(result, request.tier)))
    }

    private func send(
        to link: @Sendable (CatalogEntry) -> PhotoLink, _ page: AccountPage
    ) async throws -> Response {
        let query = try query { page.query[$0] }
        let library = try await context.services.library.showLibrary(page.caller)
        let timeline = library.timeline(query.list)
        let photo = timeline.photos[try index(page, in: timeline)]
        let isLive = query.list == .photos && page.query["part"] == Self.livePart
        guard let file = isLive ? library.liveVideo(of: photo) : photo else { throw ServiceError.notFound }
        guard try await context.services.library.archiveState(of: file.md5, caller: page.caller) == .readable else {
            return context.redirect(to: query.path(of: photo.md5))
        }
        let links = try await context.services.library.presignedURLs([link(file)], caller: page.caller)
        return context.redirect(to: links.urls[0])
    }

    private func query(_ fields: (String) -> String?) throws -> LibraryQuery {
        try LibraryQuery(fields("list").flatMap { PhotoList(rawValue: $0) } ?? .photos, fields, context.vocabulary)
    }

    /// Returns the photos among which a photo is shown: those of its search or, if the search no longer finds it, all, or
    /// those of the archive.
    private func view(_ page: AccountPage) async throws -> (LibraryQuery, LibraryView) {
        let query = try query { page.query[$0] }
        let view = try await context.services.library.view(query, caller: page.caller)
        let whole = try LibraryQuery(query.list, context.vocabulary)
        let archive = query.list == .photos ? try LibraryQuery(.photos, isHidden: true, context.vocabulary) : whole
        var found = (query, view)
        for other in [whole, archive] where (try? index(page, in: found.1.timeline)) == nil && other != query {
            found = (other, try await context.services.library.view(other, caller: page.caller))
        }
        return found
    }

    private func index(_ page: AccountPage, in timeline: Timeline) throws -> Int {
        guard let id = page.query["id"].flatMap({ ContentDigest($0) }), let index = timeline.index(of: id) else {
            throw ServiceError.notFound
        }
        return index
    }

    private func show(_ page: AccountPage) async throws -> Response {
        let (query, view) = try await view(page)
        let (list, timeline) = (query.list, view.timeline)
        let index = try index(page, in: timeline)
        let (entry, texts) = (timeline.photos[index], page.browserRequest.texts)
        let isShown = entry.type.isShownByBrowsers
        let archived = ArchivedPhoto(
            entry: entry, state: try await context.services.library.archiveState(of: entry.md5, caller: page.caller),
            query: query, outcome: page.query["archive"].flatMap { ArchivedPhoto.Outcome(rawValue: $0) }, texts: texts)
        let hasPreview = try await context.services.library.hasPreview(entry.md5, caller: page.caller)
        let (newer, older) = (
            index > 0 ? timeline.photos[index - 1] : nil,
            index + 1 < timeline.photos.count ? timeline.photos[index + 1] : nil
        )
        async let albums = albums(with: entry, list, page)
        async let newerPicture = picture(of: newer, query.list, page)
        async let olderPicture = picture(of: older, query.list, page)
        let links = try await context.services.library.presignedURLs(
            [.thumbnail(entry.md5), .preview(entry.md5)], caller: page.caller)
        let blocks = TimelineBlocks(timeline)
        let id = "?id=\(entry.md5)&list=\(list)"
        let (isFavorite, isHidden) = (view.favorites.contains(entry.md5), view.hidden.contains(entry.md5))
        var content: [String: any Sendable] = [
            "name": entry.path.name, "heading": texts.time(entry.date.date), "original": "/library/original\(id)",
            "thumbnail": links.urls[0],
            "download": "/library/download\(id)", "facts": try facts(entry, view, list, texts),
            "taken": taken(entry, texts),
            "alt": "\(entry.path.name), \(texts.day(entry.date.date))",
            "md5": entry.md5.description, "action": list.action, "isTrash": list == .trash, "formToken": page.formToken,
            "back": query.path("from=\(blocks.block(of: index))", "near=\(entry.md5)"), "searched": query.text,
            "backTitle": query.title(texts, view), "albumAddPath": AlbumPages.addPath,
            "fields": query.parameters.map { ["name": $0.name, "value": $0.value] },
            "favoritesPath": LibraryQuery.favoritesPath, "isFavorite": isFavorite, "toggled": isFavorite ? "0" : "1",
            "archivePath": LibraryQuery.archivePath, "isArchived": isHidden, "leaves": query.dependsOnHidden,
            "archivedOne": texts(.photosArchived, [.count: texts.items(1)]),
            "unarchivedOne": texts(.photosUnarchived, [.count: texts.items(1)]),
            "icons": Icon.all, "trashed": texts(.trashed, [.count: texts.items(1)]),
            "isVideo": entry.type.isVideo, "isShown": isShown || entry.type.isVideo,
            "module": context.pages.asset("library.js"),
        ]
        content["searchFields"] = query.keptParameters(isSearch: query.isSearch).map {
            ["name": $0.name, "value": $0.value]
        }
        if context.services.sharing.isEnabled { content["sharePath"] = SharedLinkPages.newPath }
        content["archive"] = archived.content
        if let duration = entry.media.duration { content["duration"] = duration.clock }
        if let camera = entry.media.camera {
            let photos = try LibraryQuery(list, camera: camera, context.vocabulary)
            content["camera"] = ["name": camera.description, "path": photos.path()]
        }
        let albumLinks = try await albums
        if !albumLinks.isEmpty { content["albums"] = ["links": albumLinks] }
        if list == .photos, view.liveVideo(of: entry) != nil {
            content["live"] = "/library/original\(id)&part=\(Self.livePart)"
        }
        if let outcome = try await AlbumPages.outcome(page, context) {
            content["done"] = outcome.text(texts)
            content["shownAlbum"] = try outcome.path(context)
        }
        if let album = view.album {
            content["cover"] = AlbumPages.cover(album, entry.md5, texts)
            if let notice = AlbumPages.coverNotice(page) {
                content["done"] = notice
                content["shownAlbum"] = try LibraryQuery(.photos, album: album.id, context.vocabulary).path()
            }
        }
        if hasPreview { content["preview"] = links.urls[1] }
        // A photo with a preview is shown. Of a video the browser itself finds out whether it plays it, with scripts.
        content["isDownloadAdvised"] = !isShown && (entry.type.isVideo || !hasPreview)
        if list == .trash { content.merge(purge.content(page)) { first, _ in first } }
        content["shortcuts"] = Self.shortcuts(list, canDelete: content["deleteChosen"] != nil, texts)
        if let newer { content["newer"] = ["path": query.path(of: newer.md5), "picture": try await newerPicture] }
        if let older { content["older"] = ["path": query.path(of: older.md5), "picture": try await olderPicture] }
        if let near = older ?? newer {
            content["near"] = near.md5.description
            content["nearBlock"] = String(blocks.block(of: older == nil ? index - 1 : index + 1, without: index))
        }
        return try context.page(
            "photo", content, page, section: query.section,
            policy: PagePolicy(formActions: ["'self'"], store: links.origin, hasScripts: true))
    }

    /// Returns the address of the picture that a photo's page shows; empty if it shows none or only after a long transfer.
    private func picture(of entry: CatalogEntry?, _ list: PhotoList, _ page: AccountPage) async throws -> String {
        guard let entry else { return "" }
        if try await context.services.library.hasPreview(entry.md5, caller: page.caller) {
            return try await context.services.library.presignedURLs([.preview(entry.md5)], caller: page.caller).urls[0]
        }
        guard entry.type.isShownByBrowsers, !entry.type.isVideo, entry.size <= Self.preloadedSize else { return "" }
        return "/library/original?id=\(entry.md5)&list=\(list)"
    }

    /// Returns the names and addresses of the albums that have a photo. A photo in the trash is in no album.
    private func albums(
        with entry: CatalogEntry, _ list: PhotoList, _ page: AccountPage
    ) async throws -> [[String: String]] {
        guard list == .photos else { return [] }
        return try await context.services.library.albums(with: entry.md5, caller: page.caller).map { id, name in
            let album = try LibraryQuery(.photos, album: id, context.vocabulary)
            return ["name": name.description, "path": album.path()]
        }
    }

    private func taken(_ entry: CatalogEntry, _ texts: LocalizedStrings) -> String {
        let offset = entry.taken?.offset.map { "\u{a0}(UTC\(CaptureDate.text(of: $0)))" } ?? ""
        return "\(texts.time(entry.date.date))\(offset)"
    }

    /// Returns the facts that follow the date and what the page's script reads from the photo.
    private func facts(
        _ entry: CatalogEntry, _ view: LibraryView, _ list: PhotoList, _ texts: LocalizedStrings
    ) throws(ServiceError) -> [[String: String]] {
        var facts: [[String: String]] = []
        if let place = entry.media.location {
            let (latitude, longitude) = (place.latitude, place.longitude)
            let position = String(format: "%.5f/%.5f", latitude, longitude)
            var fact = [
                "label": texts(.factPlace), "text": String(format: "%.5f, %.5f", latitude, longitude),
                "link": "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=15/\(position)",
                "latitude": "\(latitude)", "longitude": "\(longitude)",
            ]
            fact["place"] = place.placeName(in: texts.language)
            if list == .photos, let city = place.placeID {
                fact["placePath"] = try LibraryQuery(.photos, place: .city(city), context.vocabulary).path()
            }
            facts.append(fact)
        }
        if let pixels = entry.media.shownPixels { facts.append(["label": texts(.factPixels), "text": pixels]) }
        facts += [
            ["label": texts(.factSize), "text": texts.size(entry.size)],
            ["label": texts(.factType), "text": entry.type.fileExtension.uppercased()],
            ["label": texts(.factName), "text": entry.path.name],
        ]
        if !entry.path.folder.isEmpty { facts.append(["label": texts(.factFolder), "text": entry.path.folder]) }
        facts += view.paths(of: entry.md5).filter { $0 != entry.path }.prefix(Self.shownCopies).map {
            ["label": texts(.factCopy), "text": $0.description]
        }
        return facts
    }

    /// - Parameter canDelete: Whether the page of a photo in the trash offers permanent deletion.
    private static func shortcuts(
        _ list: PhotoList, canDelete: Bool, _ texts: LocalizedStrings
    ) -> [[String: String]] {
        let changes: [(String, TextName)] = list == .trash ? [] : [("F", .favorite), ("A", .photoArchive)]
        let deletion: TextName? = list == .photos ? .moveToTrash : canDelete ? .deletePermanently : nil
        let keys: [(String, TextName)] =
            [("←", .newer), ("→", .older), ("+ −", .zoom), ("S", .slideshow)] + changes + [("D", .download)]
            + (deletion.map { [(texts(.keyDelete), $0)] } ?? []) + [("I", .information), ("Esc", .back)]
        return keys.map { ["key": $0, "text": texts($1)] }
    }

    /// The value of `part` for the video of a Live Photo.
    private static let livePart = "live"
    /// The maximum size in bytes of an original that is loaded before its page is opened.
    private static let preloadedSize: Int64 = 10 << 20
    /// The maximum number of further paths of a photo that its page shows.
    private static let shownCopies = 20
}

extension MediaFacts {
    /// The width and height as they are displayed.
    var shownPixels: String? {
        guard let width, let height else { return nil }
        let isTurned = (orientation ?? 1) >= 5
        return isTurned ? "\(height)\u{a0}×\u{a0}\(width)" : "\(width)\u{a0}×\u{a0}\(height)"
    }
}

extension PhotoCatalog.MediaType {
    /// Whether all common browsers can display this type, if they have the codecs of a video.
    var isShownByBrowsers: Bool {
        let kinds: [PhotoCatalog.MediaType] = [.jpeg, .png, .gif, .webp, .avif, .mp4, .webm, .quickTime]
        return kinds.contains(self)
    }
}
