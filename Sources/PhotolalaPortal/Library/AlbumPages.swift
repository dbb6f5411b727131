import HTTPTypes
import Hummingbird
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The pages with a person's albums, and the forms that change them. The photos of an album are a page of the library.
struct AlbumPages: Sendable {
    /// The path of the page with all albums, and of the form that creates one.
    static let path = "/library/albums"
    static let addPath = "\(path)/add"
    static let removePath = "\(path)/remove"
    static let coverPath = "\(path)/cover"
    static let newPath = "\(path)/new"
    static let editPath = "\(path)/edit"
    private static let deletePath = "\(path)/delete"

    /// Fields of the forms besides the photos.
    private enum Field {
        static let name = "name"
        /// The album that is changed: its id, or `new`. A form of an album's page has no such field, but `album`.
        static let target = "target"
        /// Whether a photo becomes the cover: `1`, or `0` for the newest.
        static let cover = "cover"
        /// The value of `cover` in the address of the page that follows a choice of no photo or of several ones.
        static let several = "several"
        /// The value of `cover` for a photo that the library no longer has.
        static let missing = "missing"
    }

    /// The value of `Field.target` for a new album.
    private static let new = "new"

    let context: PageContext
    let account: AccountPages
    let uploads: UploadEndpoints

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Self.path, on: router) { try await showAll($0) }
        account.mountPage(Self.newPath, on: router) { try new($0) }
        account.mountAction(Self.path, on: router) { try await create($0, $1) }
        account.mountPage(Self.editPath, on: router) { page in
            let album = try await context.services.library.album(try Self.id(page.query["album"]), caller: page.caller)
            return try edit(album.id, page, name: album.name.description)
        }
        account.mountAction(Self.editPath, on: router) { try await rename($0, $1) }
        account.mountAction(
            Self.deletePath, on: router,
            after: { page, form in try await deleteConfirmation(Self.id(form["album"]), page) },
            { page, form in
                _ = try await context.services.library.deleteAlbum(try Self.id(form["album"]), caller: page.caller)
                return context.redirect(to: "\(Self.path)?deleted=1")
            })
        account.mountAction(Self.addPath, on: router) { try await add($0, $1) }
        account.mountAction(Self.removePath, on: router) { page, form in
            let id = try Self.id(form[Field.target] ?? form["album"])
            return try await set(isMember: false, id, page, form)
        }
        account.mountAction(Self.coverPath, on: router) { try await setCover($0, $1) }
    }

    /// Returns whether the form with a path changes an album, which it names in its fields.
    static func needsAlbum(_ path: String) -> Bool {
        [addPath, removePath, coverPath, editPath, deletePath].contains(path)
    }

    /// The path of the page that renames or deletes an album.
    static func editPath(of id: AlbumID) -> String { "\(editPath)?album=\(id)" }

    static func id(_ text: String?) throws(ServiceError) -> AlbumID {
        guard let id = text.flatMap({ AlbumID($0) }) else { throw .notFound }
        return id
    }

    private func showAll(_ page: AccountPage) async throws -> Response {
        let texts = page.browserRequest.texts
        async let storage = context.storageBar(page)
        let albums = try await context.services.library.albums(page.caller)
        let pictures = try await TilePictures(albums.map(\.cover), context, page)
        let linked = try await linkedAlbums(page, isNeeded: !albums.isEmpty)
        var content: [String: any Sendable] = [
            "albums": try zip(albums, pictures.contents).map { album, picture in
                var card: [String: any Sendable] = [
                    "name": album.album.name.description, "count": texts.items(album.count),
                    "path": try query(album.album.id).path(), "icon": Icon.album.html,
                ]
                card.merge(picture) { own, _ in own }
                if linked.contains(album.album.id.description) { card["isShared"] = true }
                if let dates = album.dates {
                    card["dates"] = texts.months(from: dates.lowerBound.date, to: dates.upperBound.date)
                }
                return card
            },
            "isEmpty": albums.isEmpty, "albumIcon": Icon.album.html, "addIcon": Icon.add.html,
            "newPath": Self.newPath, "module": context.pages.asset("library.js"), "linkIcon": Icon.share.html,
        ]
        content.merge(try uploads.panel(page)) { own, _ in own }
        if page.query["deleted"] != nil { content["done"] = texts(.albumDeleted) }
        content["storage"] = try await storage
        return try context.page(
            "albums", content, page, section: .albums,
            policy: UploadEndpoints.policy(content, store: pictures.origin))
    }

    /// Returns the ids of the albums with a link that opens. One listing, and one read for each link.
    private func linkedAlbums(_ page: AccountPage, isNeeded: Bool) async throws -> Set<String> {
        guard isNeeded, context.services.sharing.isEnabled else { return [] }
        let now = context.services.now()
        let links = try await context.services.sharing.links(page.caller).map(\.document)
        return Set(
            links.compactMap { link in
                guard case .album(let id) = link.content, link.disabled == nil, !link.isExpired(at: now) else {
                    return nil
                }
                return id
            })
    }

    /// Returns the number of an album's photos and their days for its heading, and the address of its slideshow.
    static func facts(
        _ timeline: Timeline, _ query: LibraryQuery, _ texts: LocalizedStrings
    ) -> [String: any Sendable] {
        guard let newest = timeline.photos.first else { return [:] }
        var content: [String: any Sendable] = ["facts": texts.contents(of: timeline)]
        if timeline.photos.count > 1 { content["slideshowPath"] = "\(query.path(of: newest.md5))#slideshow" }
        return content
    }

    private func create(_ page: AccountPage, _ form: Form) async throws -> Response {
        let name = form[Field.name] ?? ""
        switch try await context.services.library.createAlbum(named: name, caller: page.caller).naming {
        case .named(let id): return context.redirect(to: try query(id).path())
        case .nameTaken, .invalidName:
            return try new(page, problem: page.browserRequest.texts(.albumNameProblem), name: name)
        }
    }

    /// Shows the page that creates an album.
    private func new(_ page: AccountPage, problem: String? = nil, name: String = "") throws -> Response {
        var content: [String: any Sendable] = [
            "action": Self.path, "back": Self.path, "typed": name, "formToken": page.formToken,
        ]
        content["problem"] = problem
        return try context.page(
            "album_new", content, page.browserRequest, status: problem == nil ? .ok : .badRequest)
    }

    /// Shows the page that renames or deletes an album.
    private func edit(_ id: AlbumID, _ page: AccountPage, name: String, problem: String? = nil) throws -> Response {
        var content: [String: any Sendable] = [
            "album": id.description, "typed": name, "action": Self.editPath, "deletePath": Self.deletePath,
            "back": try query(id).path(), "formToken": page.formToken,
        ]
        content["problem"] = problem
        return try context.page(
            "album", content, page.browserRequest, status: problem == nil ? .ok : .badRequest)
    }

    private func rename(_ page: AccountPage, _ form: Form) async throws -> Response {
        let (id, name) = (try Self.id(form["album"]), form[Field.name] ?? "")
        switch try await context.services.library.renameAlbum(id, to: name, caller: page.caller) {
        case .named: return context.redirect(to: try query(id).path())
        case .nameTaken, .invalidName:
            return try edit(id, page, name: name, problem: page.browserRequest.texts(.albumNameProblem))
        }
    }

    private func deleteConfirmation(_ id: AlbumID, _ page: AccountPage) async throws -> ConfirmationPrompt {
        let album = try await context.services.library.album(id, caller: page.caller)
        let texts = page.browserRequest.texts
        return ConfirmationPrompt(
            title: texts(.albumDeleteQuestion, [.name: album.name.description]), text: texts(.albumDeleteText),
            note: context.services.sharing.isEnabled ? texts(.shareAlbumEnds) : nil, button: texts(.albumDelete),
            action: Self.deletePath, fields: [("album", id.description)],
            back: try query(id).path())
    }

    /// Adds photos to an album, after a page that asks which.
    private func add(_ page: AccountPage, _ form: Form) async throws -> Response {
        let photos = Self.photos(form)
        guard !photos.isEmpty else { return context.redirect(to: try Self.back(form, context)) }
        guard let target = form[Field.target] else { return try await choose(photos, page, form) }
        guard target == Self.new else { return try await add(photos, to: try Self.id(target), page, form) }
        let name = form[Field.name] ?? ""
        let created = try await context.services.library.createAlbum(named: name, with: photos, caller: page.caller)
        switch created.naming {
        case .named(let id):
            return context.redirect(to: try Self.back(form, context, "added=\(created.photos)", "target=\(id)"))
        case .nameTaken, .invalidName:
            return try await choose(
                photos, page, form, problem: page.browserRequest.texts(.albumNameProblem), name: name)
        }
    }

    /// Adds photos to an album. If it was deleted while they were chosen for it, the page asks for another one.
    private func add(
        _ photos: Set<ContentDigest>, to id: AlbumID, _ page: AccountPage, _ form: Form
    ) async throws -> Response {
        do {
            return try await set(isMember: true, id, page, form)
        } catch ServiceError.notFound where form["for"] != nil && !page.browserRequest.isScript {
            let problem = page.browserRequest.texts(.albumGoneTitle)
            return try await choose(photos, page, form.without("for"), problem: problem, status: .notFound)
        }
    }

    private func choose(
        _ photos: Set<ContentDigest>, _ page: AccountPage, _ form: Form, problem: String? = nil, name: String = "",
        status: HTTPResponse.Status = .badRequest
    ) async throws -> Response {
        let texts = page.browserRequest.texts
        let albums = try await context.services.library.albums(page.caller)
        // The page shows no pictures: its script shows them where it is a dialog over the library.
        var covers = try await context.services.library.presignedURLs(
            albums.compactMap { $0.cover.map { .thumbnail($0.md5) } }, caller: page.caller
        ).urls[...]
        let fields = Self.selection(photos, form) + [(Form.tokenField, page.formToken)]
        var content: [String: any Sendable] = [
            "text": texts(.chosen, [.count: texts.number(photos.count)]), "action": Self.addPath,
            "back": try Self.back(form, context), "typed": name, "new": Self.new,
            "albums": albums.map { album in
                var choice = [
                    "id": album.album.id.description, "name": album.album.name.description,
                    "count": texts.items(album.count),
                ]
                if album.cover != nil { choice["cover"] = covers.popFirst() }
                return choice
            },
            "fields": fields.map { ["name": $0.0, "value": $0.1] }, "module": context.pages.asset("offline.js"),
        ]
        content["problem"] = problem
        content.merge(OfflinePages.bar(page)) { first, _ in first }
        return try context.page(
            "album_choice", content, page.browserRequest, status: problem == nil ? .ok : status,
            policy: PagePolicy(formActions: ["'self'"], hasScripts: true))
    }

    private func set(
        isMember: Bool, _ id: AlbumID, _ page: AccountPage, _ form: Form
    ) async throws -> Response {
        let photos = Self.photos(form)
        let changed = try await context.services.library.setPhotos(photos, areIn: isMember, id, caller: page.caller)
        let path = try Self.back(form, context, "\(isMember ? "added" : "removed")=\(changed)", "target=\(id)")
        return try await ChangedPhotos.response(photos, to: path, page, context)
    }

    private func setCover(_ page: AccountPage, _ form: Form) async throws -> Response {
        let (id, isChosen) = (try Self.id(form["album"]), form[Field.cover] == "1")
        let photos = Self.photos(form)
        guard let photo = photos.first, photos.count == 1 else {
            return context.redirect(to: try Self.back(form, context, "\(Field.cover)=\(Field.several)"))
        }
        guard try await !context.services.library.libraryPhotos([photo], page.caller).isEmpty else {
            return context.redirect(to: try Self.back(form, context, "\(Field.cover)=\(Field.missing)"))
        }
        try await context.services.library.setCover(isChosen ? photo : nil, of: id, caller: page.caller)
        return context.redirect(to: try Self.back(form, context, "\(Field.cover)=\(isChosen ? 1 : 0)"))
    }

    /// Returns the content of the form that makes a photo the cover of an album that the page shows, or ends that.
    static func cover(_ album: Album, _ photo: ContentDigest, _ texts: LocalizedStrings) -> [String: any Sendable] {
        let isChosen = album.cover == photo
        return [
            "path": coverPath, "field": Field.cover, "value": isChosen ? "0" : "1",
            "title": texts(isChosen ? .albumCoverNewest : .albumCoverUse),
        ]
    }

    /// Returns the notice about the cover that led to a page.
    static func coverNotice(_ page: AccountPage) -> String? {
        page.query[Field.cover].map { outcome in
            let texts = page.browserRequest.texts
            if outcome == Field.several { return texts(.albumCoverOne) }
            if outcome == Field.missing { return texts(.offlinePhotosGone, [.count: texts.number(1)]) }
            return texts(outcome == "1" ? .albumCoverSet : .albumCoverReset)
        }
    }

    /// Returns the fields with which another form repeats a selection and the page from which it came.
    static func selection(_ photos: Set<ContentDigest>, _ form: Form) -> [(String, String)] {
        photos.sorted().map { ($0.description, "1") }
            + ["from", "near", "page", "q", "kind", "favorites", "hidden", "album", "place", "camera", "for"]
            .compactMap { name in form[name].map { (name, $0) } }
    }

    static func photos(_ form: Form) -> Set<ContentDigest> { Set(form.names.compactMap { ContentDigest($0) }) }

    /// Returns the address of the page from which the form came.
    static func back(_ form: Form, _ context: PageContext, _ outcome: String...) throws -> String {
        let query = try LibraryQuery(.photos, { form[$0] }, context.vocabulary)
        if form["page"] == "photo", let photo = photos(form).first {
            return ([query.path(of: photo)] + outcome).joined(separator: "&")
        }
        // From the photos that were chosen for an album, the way leads back to the album.
        if let album = query.destination {
            return try LibraryQuery(.photos, album: album, context.vocabulary)
                .path(outcome.joined(separator: "&"))
        }
        return query.path(([LibraryPages.position(form)] + outcome).joined(separator: "&"))
    }

    /// The path of the page that shows the library's photos to choose some of them for an album.
    static func path(toChooseFor album: AlbumID, _ context: PageContext) throws -> String {
        try LibraryQuery(.photos, destination: album, context.vocabulary).path()
    }

    /// Returns the content of the page on which photos are chosen for an album.
    static func choice(
        for album: Album, _ texts: LocalizedStrings, _ context: PageContext
    ) throws -> [String: any Sendable] {
        [
            "action": addPath,
            "choice": [
                "album": album.id.description, "button": texts(.albumAddTo, [.name: album.name.description]),
                "back": try LibraryQuery(.photos, album: album.id, context.vocabulary).path(),
            ],
        ]
    }

    private func query(_ id: AlbumID) throws(ServiceError) -> LibraryQuery {
        try LibraryQuery(.photos, album: id, context.vocabulary)
    }

    /// Returns the change of an album that led to a page of the library; `nil` if the album was deleted since.
    static func outcome(_ page: AccountPage, _ context: PageContext) async throws -> AlbumOutcome? {
        guard let id = page.query[Field.target].flatMap({ AlbumID($0) }) else { return nil }
        for (name, isMember) in [("added", true), ("removed", false)] {
            guard let count = page.query[name].flatMap({ Int($0) }), count >= 0 else { continue }
            let name = try await context.services.library.albumNames(page.caller)[id]
            return name.map { AlbumOutcome(id: id, name: $0, count: count, isMember: isMember) }
        }
        return nil
    }
}

/// A change of an album's photos that led to a page of the library.
struct AlbumOutcome {
    let id: AlbumID
    let name: AlbumName
    let count: Int
    /// Whether photos were added.
    let isMember: Bool

    func text(_ texts: LocalizedStrings) -> String {
        texts(isMember ? .albumAdded : .albumRemoved, [.count: texts.items(count), .name: name.description])
    }

    /// The path of the form that made the change.
    var changed: String { isMember ? AlbumPages.addPath : AlbumPages.removePath }
    /// The path of the form that undoes it.
    var undo: String { isMember ? AlbumPages.removePath : AlbumPages.addPath }

    /// The address of the album.
    func path(_ context: PageContext) throws(ServiceError) -> String {
        try LibraryQuery(.photos, album: id, context.vocabulary).path()
    }
}
