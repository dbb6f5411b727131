import HTTPTypes
import Hummingbird
import Localization
import ObjectStorage
import PhotoCatalog
import UseCases

/// The page with a single photo of a shared link, and its original.
struct SharedPhotoPage: Sendable {
    let context: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        let path = "/\(SharedPages.area)/:token"
        router.get(RouterPath("\(path)/photo")) { request, requestContext in
            try await show(try await SharedVisit(request, requestContext, context))
        }
        router.get(RouterPath("\(path)/file")) { request, requestContext in
            try await file(request, try await SharedVisit(request, requestContext, context))
        }
    }

    /// The name without extension under which a photo is downloaded. The name in the library is not disclosed.
    static func fileName(at index: Int) -> String { "photo-\(index + 1)" }

    private func show(_ visit: SharedVisit) async throws -> Response {
        let (texts, photos, paths) = (visit.browserRequest.texts, visit.photos, visit.paths)
        let (timeline, options) = (photos.timeline, photos.link.document.options)
        let index = try visit.index()
        let entry = timeline.photos[index]
        let (newer, older) = (
            index > 0 ? timeline.photos[index - 1] : nil,
            index + 1 < timeline.photos.count ? timeline.photos[index + 1] : nil
        )
        async let picture = self.picture(of: entry, visit)
        async let newerPicture = self.picture(of: newer, visit)
        async let olderPicture = self.picture(of: older, visit)
        let links = try await context.services.sharedLinkVisits.presignedURLs([.thumbnail(entry.md5)], of: photos)
        let date = texts.day(entry.date.date)
        let shown = try await picture
        var content: [String: any Sendable] = [
            "heading": options.title, "date": date, "alt": date, "icons": Icon.all,
            "back": paths.path(from: TimelineBlocks(timeline).block(of: index), near: entry.md5),
            "isVideo": entry.type.isVideo, "original": paths.file(entry.md5),
            "picture": shown ?? links.urls[0], "facts": facts(entry, texts, hasSize: options.allowsDownloads),
            "shortcuts": Self.shortcuts(texts, hasDownload: options.allowsDownloads),
            "module": context.pages.asset("library.js"),
        ]
        if options.allowsDownloads {
            content["download"] = paths.file(entry.md5, isDownload: true)
            if shown != nil, entry.type.isShownByBrowsers { content["zoomed"] = paths.file(entry.md5) }
        }
        if let newer {
            content["newer"] = ["path": paths.path(of: newer.md5), "picture": try await newerPicture ?? ""]
        }
        if let older {
            content["older"] = ["path": paths.path(of: older.md5), "picture": try await olderPicture ?? ""]
        }
        return try context.page(
            "shared_photo", content, visit.browserRequest,
            policy: PagePolicy(formActions: ["'self'"], store: links.origin, hasScripts: true))
    }

    /// Returns the address of the large picture of a photo: its preview or, if browsers show it, its original.
    private func picture(of entry: CatalogEntry?, _ visit: SharedVisit) async throws -> String? {
        guard let entry else { return nil }
        let visits = context.services.sharedLinkVisits
        if try await visits.hasPreview(entry.md5, of: visit.photos) {
            return try await visits.presignedURLs([.preview(entry.md5)], of: visit.photos).urls[0]
        }
        return entry.type.isShownByBrowsers && !entry.type.isVideo ? visit.paths.file(entry.md5) : nil
    }

    private func facts(_ entry: CatalogEntry, _ texts: LocalizedStrings, hasSize: Bool) -> [[String: String]] {
        var facts = [["label": texts(.factDate), "text": texts.time(entry.date.date)]]
        if hasSize { facts.append(["label": texts(.factSize), "text": texts.size(entry.size)]) }
        if let pixels = entry.media.shownPixels { facts.append(["label": texts(.factPixels), "text": pixels]) }
        if let duration = entry.media.duration {
            facts.append(["label": texts(.factDuration), "text": duration.clock])
        }
        facts.append(["label": texts(.factType), "text": entry.type.fileExtension.uppercased()])
        return facts
    }

    private static func shortcuts(_ texts: LocalizedStrings, hasDownload: Bool) -> [[String: String]] {
        let keys: [(String, TextName)] = [
            ("←", .newer), ("→", .older), ("+ −", .zoom), ("S", .slideshow), ("D", .download), ("I", .information),
            ("Esc", .back),
        ]
        return keys.filter { hasDownload || $0.1 != .download }.map { ["key": $0, "text": texts($1)] }
    }

    /// Sends an original, or redirects to it.
    private func file(_ request: Request, _ visit: SharedVisit) async throws -> Response {
        let index = try visit.index()
        let name = visit.query["download"] == nil ? nil : Self.fileName(at: index)
        let photo = visit.photos.timeline.photos[index].md5
        switch try await context.services.sharedLinkVisits.file(photo, downloadedAs: name, of: visit.photos) {
        case .address(let address): return context.redirect(to: address)
        case .stream(let stream): return response(stream, to: request)
        }
    }

    /// Returns a file, or the range of it that the request asks for (RFC 9110 section 14).
    private func response(_ stream: SharedFileStream, to request: Request) -> Response {
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: stream.tag, .cacheControl: "private, max-age=3600",
            .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src 'none'; sandbox",
            .contentDisposition: stream.name.map { PhotoLink.attachment($0) } ?? "inline",
        ]
        for (name, value) in PagePolicy.others { headers[name] = value }
        if request.headers[.ifNoneMatch] == stream.tag { return Response(status: .notModified, headers: headers) }
        var range = request.headers[.range].flatMap(ByteRange.init(header:))
        if let condition = request.headers[.ifRange], condition != stream.tag { range = nil }
        guard let offsets = ByteRange.resolve(range, size: stream.size) else {
            headers[.contentRange] = "bytes */\(stream.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentType] = "\(stream.type)"
        if range != nil {
            headers[.contentRange] = "bytes \(offsets.lowerBound)-\(offsets.upperBound - 1)/\(stream.size)"
        }
        let status = range == nil ? HTTPResponse.Status.ok : .partialContent
        guard request.method != .head, !offsets.isEmpty else {
            headers[.contentLength] = String(offsets.count)
            return Response(status: status, headers: headers)
        }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(contentLength: offsets.count) { writer in
                try await stream.read(offsets) { try await writer.write($0) }
                try await writer.finish(nil)
            })
    }
}
