import HTTPTypes
import Hummingbird
import IdentityProviders
import Localization
import NIOCore
import PhotoCatalog
import UseCases

/// The pages that a shared link opens. They need no account and no session.
package struct SharedPages: Sendable {
    /// The first segment of their paths.
    package static let area = "s"
    /// The cookie of a browser whose view of a link was counted.
    private static let viewedCookie = "__Secure-photolala-viewed"
    /// The most photos of one download, as in `selection.js`.
    private static let mostDownloaded = 1000
    /// The lifetimes of the cookies, in seconds.
    private static let (viewLifetime, passLifetime) = (86_400, 86_400)

    let context: PageContext

    /// Returns whether a request for one of their paths sends a password.
    package static func isPassword(_ request: Request) -> Bool {
        request.method == .post && request.uri.path.split(separator: "/").count == 2
    }

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        let path = "/\(Self.area)/:token"
        router.get(RouterPath(path)) { request, requestContext in
            try await open(request, SharedVisit.token(requestContext))
        }
        router.post(RouterPath(path)) { request, requestContext in
            try await unlock(request, SharedVisit.token(requestContext))
        }
        router.get(RouterPath("\(path)/blocks")) { request, requestContext in
            try await blocks(try await SharedVisit(request, requestContext, context))
        }
        router.post(RouterPath("\(path)/links")) { request, requestContext in
            try await links(try await SharedVisit(request, requestContext, context), try await Form(request))
        }
    }

    private func open(_ request: Request, _ token: String) async throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let opening: SharedLinkVisits.Opening
        do throws(ServiceError) {
            opening = try await context.services.sharedLinkVisits.open(
                token, pass: request.cookies[SharedVisit.passCookie]?.value)
        } catch .notFound {
            return try unavailable(browserRequest)
        }
        guard case .photos(let photos) = opening else { return try passwordPage(token, browserRequest) }
        var response = try await page(
            photos, SharedPaths(token: token), try ProviderAuthorizationPages.query(request), browserRequest)
        let viewer = context.services.authenticator.user(ofBrowserCookie: browserRequest.cookies[.session])
        if request.method == .get, request.cookies[Self.viewedCookie] == nil, viewer != photos.link.token.user {
            try await context.services.sharedLinkVisits.countView(of: photos)
            response.set(Self.viewedCookie, to: "1", for: Self.viewLifetime, ofLink: token)
        }
        return response
    }

    private func unavailable(_ browserRequest: BrowserRequest) throws -> Response {
        let texts = browserRequest.texts
        return try context.message(
            texts(.sharedGoneTitle), texts(.sharedGoneText), [], browserRequest, status: .notFound)
    }

    private func passwordPage(
        _ token: String, _ browserRequest: BrowserRequest, problem: String? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var content: [String: any Sendable] = [
            "action": SharedPaths(token: token).base,
            "openGraph": ["title": browserRequest.texts(.sharedPhotos)],
        ]
        content["problem"] = problem
        return try context.page(
            "shared_password", content, browserRequest, status: status)
    }

    /// Checks a password. The form has no token: a request of another site can only open the link.
    private func unlock(_ request: Request, _ token: String) async throws -> Response {
        let browserRequest = BrowserRequest(request, catalog: context.catalog)
        let password = try await Form(request)["password"] ?? ""
        do {
            let unlocked = try await context.services.sharedLinkVisits.unlock(token, password: password)
            guard let pass = unlocked else {
                return try passwordPage(
                    token, browserRequest, problem: browserRequest.texts(.sharedPasswordWrong), status: .forbidden)
            }
            var response = context.redirect(to: SharedPaths(token: token).base)
            response.set(SharedVisit.passCookie, to: pass, for: Self.passLifetime, ofLink: token)
            return response
        } catch ServiceError.notFound {
            return try unavailable(browserRequest)
        } catch ServiceError.rateLimited(let wait) {
            var response = try passwordPage(
                token, browserRequest, problem: browserRequest.texts(.sharedPasswordMany), status: .tooManyRequests)
            response.headers[.retryAfter] = String(wait)
            return response
        }
    }

    private func page(
        _ photos: SharedPhotos, _ paths: SharedPaths, _ query: FormParameters, _ browserRequest: BrowserRequest
    ) async throws -> Response {
        let (texts, timeline) = (browserRequest.texts, photos.timeline)
        let options = photos.link.document.options
        let near = query["near"].flatMap { ContentDigest($0) }.flatMap { timeline.index(of: $0) }
        let grid = PhotoGrid(photos, paths: paths, texts: texts, now: context.services.now())
        let blocks = grid.blocks
        let from = near.map(blocks.block(of:)) ?? query["from"].flatMap { Int($0) } ?? 0
        let shown = blocks.page(from: from)
        let links = try await context.services.sharedLinkVisits.presignedURLs(
            grid.pictures(of: shown), of: photos)
        var content: [String: any Sendable] = [
            "heading": options.title,
            // A page that shows the link before it is opened gets the title only if everyone does.
            "openGraph": ["title": options.password == nil ? options.title : texts(.sharedPhotos)],
            "count": texts.contents(of: timeline),
            "isEmpty": timeline.photos.isEmpty, "emptyIcon": Icon.photos.html, "icons": Icon.all,
            "months": grid.months(of: shown, links: links.urls), "years": grid.jumps(), "hasJumps": grid.hasJumps,
            "overview": try grid.overview(), "isLong": grid.isLong, "name": photos.name,
            "from": String(shown.contains(from) ? from : shown.lowerBound),
            "downloads": options.allowsDownloads,
            "downloadsAll": options.allowsDownloads && (2...Self.mostDownloaded).contains(timeline.photos.count),
            "blocksPath": paths.blocks, "linksPath": paths.links,
            "chosen": texts(.chosen), "tooMany": texts(.chosenTooMany), "zipProgress": texts(.zipProgress),
            "module": context.pages.asset("library.js"),
        ]
        if shown.lowerBound > 0 { content["newer"] = paths.path(from: blocks.start(before: shown.lowerBound)) }
        if shown.upperBound < blocks.blocks.count { content["older"] = paths.path(from: shown.upperBound) }
        return try context.page(
            "shared", content, browserRequest,
            policy: PagePolicy(formActions: ["'self'"], store: links.origin, hasScripts: true))
    }

    /// Returns a block and the blocks that follow it on the same page, for the page's script.
    private func blocks(_ visit: SharedVisit) async throws -> Response {
        guard let name = visit.query["name"], let first = visit.query["from"].flatMap({ Int($0) }) else {
            throw ServiceError.invalidRequest("missing or invalid parameter: name or from")
        }
        guard name == visit.photos.name else { throw ServiceError.preconditionFailed }
        let texts = visit.browserRequest.texts
        let grid = PhotoGrid(visit.photos, paths: visit.paths, texts: texts, now: context.services.now())
        guard grid.blocks.blocks.indices.contains(first) else { throw ServiceError.notFound }
        let shown = grid.blocks.page(from: first)
        let links = try await context.services.sharedLinkVisits.presignedURLs(
            grid.pictures(of: shown), of: visit.photos)
        let html = try context.pages.html(
            "library_blocks", ["blocks": grid.content(of: shown, links: links.urls), "t": texts.all])
        return Response(
            status: .ok, headers: PagePolicy().headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    /// Returns the names, sizes, dates and addresses of photos, for the page's script.
    private func links(_ visit: SharedVisit, _ form: Form) async throws -> Response {
        guard visit.photos.link.document.options.allowsDownloads else { throw ServiceError.notFound }
        let wanted = AlbumPages.photos(form)
        let timeline = visit.photos.timeline
        let files = timeline.photos.indices.compactMap { index -> ScriptFile? in
            let entry = timeline.photos[index]
            guard wanted.contains(entry.md5) else { return nil }
            return ScriptFile(
                name: "\(SharedPhotoPage.fileName(at: index)).\(entry.type.fileExtension)", size: entry.size,
                date: entry.dateText, url: visit.paths.file(entry.md5, isDownload: true))
        }
        return try Response(json: ["files": files])
    }

    private struct ScriptFile: Encodable {
        let name: String
        let size: Int64
        let date: String
        let url: String
    }
}

extension Response {
    /// Sets a cookie that is sent to the pages of one shared link only.
    fileprivate mutating func set(_ name: String, to value: String, for seconds: Int, ofLink token: String) {
        setCookie(
            Cookie(
                name: name, value: value, maxAge: seconds, path: SharedPaths(token: token).base, secure: true,
                httpOnly: true, sameSite: .lax))
    }
}
