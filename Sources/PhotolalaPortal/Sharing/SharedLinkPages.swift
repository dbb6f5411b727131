import Foundation
import Hummingbird
import Localization
import PhotoCatalog
import Sharing
import UseCases

/// The pages on which a person creates, changes and deletes shared links.
struct SharedLinkPages: Sendable {
    /// The path of the page with all links.
    static let path = "/library/shared"
    /// The path of the page that creates a link, and of its form.
    static let newPath = "\(path)/new"
    private static let linkPath = "\(path)/link"
    /// The parameter that asks for a further link to an album.
    private static let another = "another"
    private static let deletePath = "\(path)/delete"

    let context: PageContext
    let account: AccountPages
    /// The server's URL, without a trailing slash.
    let publicURL: String

    /// The path of the page that creates a link to an album.
    static func path(toShare album: AlbumID) -> String { "\(newPath)?album=\(album)" }

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Self.path, on: router) { try await showAll($0) }
        account.mountPage(Self.newPath, on: router) { page in
            let album = try await context.services.library.album(
                try AlbumPages.id(page.query["album"]), caller: page.caller)
            if page.query[Self.another] == nil, let known = try await link(to: album.id, page) {
                return try await show(known, page, SharedLinkForm(known.document.options), of: album.id)
            }
            return try new(
                .album(album), page, [("album", album.id.description)], SharedLinkForm(album.name.description))
        }
        account.mountAction(Self.newPath, on: router) { try await create($0, $1) }
        account.mountPage(Self.linkPath, on: router) { page in
            let link = try await context.services.sharing.link(try Self.id(page.query["link"]), page.caller)
            let texts = page.browserRequest.texts
            let done =
                page.query["created"] != nil ? texts(.shareCreated) : page.query["saved"] != nil ? texts(.saved) : nil
            return try await show(link, page, SharedLinkForm(link.document.options), done: done)
        }
        account.mountAction(Self.linkPath, on: router) { try await change($0, $1) }
        account.mountAction(
            Self.deletePath, on: router, after: { page, form in try await deleteConfirmation(page, form) },
            { page, form in
                try await context.services.sharing.delete(try Self.id(form["link"]), page.caller)
                return context.redirect(to: "\(Self.path)?deleted=1")
            })
    }

    private static func id(_ text: String?) throws(ServiceError) -> SharedLinkID {
        guard let id = text.flatMap({ SharedLinkID($0) }) else { throw .notFound }
        return id
    }

    private static func path(of link: SharedLink) -> String { "\(linkPath)?link=\(link.id)" }

    private func address(of link: SharedLink) -> String {
        publicURL + SharedPaths(token: link.token.description).base
    }

    /// Returns a link to an album that opens; `nil` if it has none.
    private func link(to album: AlbumID, _ page: AccountPage) async throws -> SharedLink? {
        try await context.services.sharing.links(page.caller).first { link in
            let document = link.document
            return document.content == .album(album.description) && document.disabled == nil
                && !document.isExpired(at: context.services.now())
        }
    }

    private func showAll(_ page: AccountPage) async throws -> Response {
        let texts = page.browserRequest.texts
        async let storage = context.storageBar(page)
        let links = try await context.services.sharing.links(page.caller)
        let albums = try await context.services.library.albumNames(page.caller)
        // Links can also be ended while the library cannot be read.
        let covers = try? await SharedLinkCovers(links, context, page)
        var content: [String: any Sendable] = [
            "links": links.map { link in
                var row = [
                    "path": Self.path(of: link), "title": link.document.options.title, "id": link.id.description,
                    "address": address(of: link), "icon": Icon.photos.html,
                    "facts": facts(link, albums, texts).joined(separator: " · "),
                ]
                row["cover"] = covers?.urls[link.id]
                return row
            },
            "isEmpty": links.isEmpty, "emptyIcon": Icon.share.html, "module": context.pages.asset("library.js"),
        ]
        if page.query["deleted"] != nil { content["done"] = texts(.shareDeleted) }
        content["storage"] = try await storage
        return try context.page(
            "shared_links", content, page, section: .sharedLinks,
            policy: PagePolicy(formActions: ["'self'"], store: covers?.origin, hasScripts: true))
    }

    private func facts(
        _ link: SharedLink, _ albums: [AlbumID: AlbumName], _ texts: LocalizedStrings
    ) -> [String] {
        let (document, options) = (link.document, link.document.options)
        var (content, state) = ("", state(document, texts))
        switch document.content {
        case .photos(let photos): content = texts.items(photos.count)
        case .album(let id):
            if let name = AlbumID(id).flatMap({ albums[$0] }) {
                content = "\(texts(.shareAlbum)): \(name)"
            } else {
                (content, state) = (texts(.shareAlbumDeleted), texts(.sharedGoneTitle))
            }
        }
        return [
            content, texts.counted(document.views, .shareViewsOne, .shareViews), state,
            options.password == nil ? nil : texts(.shareProtected),
            options.allowsDownloads ? nil : texts(.shareNoDownloads),
            options.includesLocation ? texts(.shareWithLocation) : nil,
        ].compactMap { $0 }
    }

    /// Returns why a link does not open or, if it opens, until when.
    private func state(_ document: SharedLinkDocument, _ texts: LocalizedStrings) -> String {
        if document.disabled != nil { return texts(.shareDisabled) }
        if document.isExpired(at: context.services.now()) { return texts(.shareExpired) }
        return document.options.expiresAt.map { texts(.shareEnds, [.date: texts.day($0)]) } ?? texts(.shareNeverEnds)
    }

    /// What a new link shows.
    private enum NewContent {
        case album(Album)
        case photos(Set<ContentDigest>)
    }

    private func create(_ page: AccountPage, _ form: Form) async throws -> Response {
        let texts = page.browserRequest.texts
        let sharing = context.services.sharing
        if form["share"] == "album" {
            let album = try await context.services.library.album(try AlbumPages.id(form["album"]), caller: page.caller)
            let input = SharedLinkForm(form)
            return try await answer(
                sharing.create(toAlbum: album.id, input.options(at: context.services.now()), page.caller)
            ) { problem in
                try new(
                    .album(album), page, [("album", album.id.description)], input, problem: texts(problem))
            }
        }
        let photos = AlbumPages.photos(form)
        guard !photos.isEmpty else { return context.redirect(to: try AlbumPages.back(form, context)) }
        let fields = AlbumPages.selection(photos, form)
        let back = try AlbumPages.back(form, context)
        guard form["share"] == "photos" else {
            let title = try await dates(of: photos, page)
            return try new(.photos(photos), page, fields, SharedLinkForm(title), back: back)
        }
        let input = SharedLinkForm(form)
        return try await answer(sharing.create(to: photos, input.options(at: context.services.now()), page.caller)) {
            try new(.photos(photos), page, fields, input, back: back, problem: texts($0))
        }
    }

    /// Returns the days of the first and the last photo, the title of a link to photos unless its owner changes it.
    private func dates(of photos: Set<ContentDigest>, _ page: AccountPage) async throws -> String {
        let texts = page.browserRequest.texts
        let found = try await context.services.library.showLibrary(page.caller).photos.photos(photos)
        guard let last = found.first, let first = found.last else { return texts(.kindPhotos) }
        return DayRange.text(from: first.date.date, to: last.date.date, locale: texts.locale)
    }

    /// Returns the page of a link that was created or, if its options are invalid, the form once more.
    private func answer(
        _ result: Result<SharedLink, SharingService.InvalidOption>, else show: (TextName) throws -> Response
    ) throws -> Response {
        switch result {
        case .success(let link): context.redirect(to: "\(Self.path(of: link))&created=1")
        case .failure(let reason): try show(reason.text)
        }
    }

    private func new(
        _ shared: NewContent, _ page: AccountPage, _ fields: [(String, String)], _ input: SharedLinkForm,
        back: String? = nil, problem: String? = nil
    ) throws -> Response {
        let texts = page.browserRequest.texts
        var content: [String: any Sendable] = ["action": Self.newPath]
        let kind: String
        switch shared {
        case .album(let album):
            kind = "album"
            content["isAlbum"] = true
            content["back"] = try LibraryQuery(.photos, album: album.id, context.vocabulary).path()
        case .photos(let photos):
            kind = "photos"
            content["chosen"] = texts(.chosen, [.count: texts.number(photos.count)])
            content["back"] = back
        }
        content["fields"] = (fields + [("share", kind), (Form.tokenField, page.formToken)]).map {
            ["name": $0.0, "value": $0.1]
        }
        return try show(content, page, input, problem: problem)
    }

    /// - Parameter album: The album from whose page the link is shown.
    private func show(
        _ link: SharedLink, _ page: AccountPage, _ input: SharedLinkForm, of album: AlbumID? = nil,
        done: String? = nil, problem: String? = nil
    ) async throws -> Response {
        let albums = try await context.services.library.albumNames(page.caller)
        var content: [String: any Sendable] = [
            "action": Self.linkPath, "back": Self.path, "deletePath": Self.deletePath, "id": link.id.description,
            "formToken": page.formToken, "address": address(of: link),
            "hasPassword": link.document.options.password != nil,
            "chosen": facts(link, albums, page.browserRequest.texts).joined(separator: " · "),
            "fields": [("link", link.id.description), (Form.tokenField, page.formToken)].map {
                ["name": $0.0, "value": $0.1]
            },
        ]
        if case .album = link.document.content { content["isAlbum"] = true }
        content["done"] = done
        if let album {
            content["back"] = try LibraryQuery(.photos, album: album, context.vocabulary).path()
            content["another"] = "\(Self.path(toShare: album))&\(Self.another)=1"
        }
        return try show(content, page, input, problem: problem)
    }

    private func show(
        _ content: [String: any Sendable], _ page: AccountPage, _ input: SharedLinkForm, problem: String?
    ) throws -> Response {
        let texts = page.browserRequest.texts
        var content = content
        content["typed"] = input.title
        content["typedPassword"] = input.typedPassword
        content["downloads"] = input.allowsDownloads
        content["location"] = input.includesLocation
        content["module"] = context.pages.asset("library.js")
        content["lifetimes"] = input.lifetimes(texts).map { value, title in
            ["value": value, "title": title, "isChosen": value == input.lifetime] as [String: any Sendable]
        }
        content["problem"] = problem
        return try context.page(
            "shared_link", content, page.browserRequest, status: problem == nil ? .ok : .badRequest,
            policy: PagePolicy(formActions: ["'self'"], hasScripts: true))
    }

    private func change(_ page: AccountPage, _ form: Form) async throws -> Response {
        let id = try Self.id(form["link"])
        let known = try await context.services.sharing.link(id, page.caller)
        let input = SharedLinkForm(form, known: known.document.options)
        switch try await context.services.sharing.change(id, input.options(at: context.services.now()), page.caller) {
        case .success(let link): return context.redirect(to: "\(Self.path(of: link))&saved=1")
        case .failure(let reason):
            return try await show(known, page, input, problem: page.browserRequest.texts(reason.text))
        }
    }

    private func deleteConfirmation(_ page: AccountPage, _ form: Form) async throws -> ConfirmationPrompt {
        let link = try await context.services.sharing.link(try Self.id(form["link"]), page.caller)
        let texts = page.browserRequest.texts
        return ConfirmationPrompt(
            title: texts(.shareDeleteQuestion, [.name: link.document.options.title]), text: texts(.shareDeleteText),
            button: texts(.shareDelete), action: Self.deletePath, fields: [("link", link.id.description)],
            back: Self.path(of: link))
    }
}

extension SharingService.InvalidOption {
    fileprivate var text: TextName {
        switch self {
        case .title: .shareTitleProblem
        case .expiry: .shareExpiryProblem
        case .password: .sharePasswordProblem
        }
    }
}
