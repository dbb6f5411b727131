import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

extension LibraryQuery {
    /// The path of the page with the favorites, and of the form that changes them.
    static let favoritesPath = "/library/favorites"

    /// The path of the page with the hidden photos, which pages call archived, and of the form that changes them.
    static let archivePath = "/library/archive"

    /// The kinds of photos that the page of a search offers.
    static let kinds: [(kind: MediaKind?, title: TextName)] = [
        (nil, .kindAll), (.photo, .kindPhotos), (.video, .kindVideos), (.raw, .kindRAW),
    ]

    /// Reads the fields that `parameters` writes. An album is ignored beside one to which photos are added.
    /// - Throws: `invalidRequest` for a search that is too long; `notFound` for what is not the id of an album or place, or the name of
    ///   a camera.
    init(
        _ list: PhotoList, _ fields: (String) -> String?, _ vocabulary: SearchVocabulary
    ) throws(ServiceError) {
        let (album, place) = (fields("album").map { AlbumID($0) }, fields("place").map { PhotoPlace($0) })
        let camera = fields("camera").map { CameraName($0) }
        let destination = fields("for").map { AlbumID($0) }
        if case .some(nil) = album { throw .notFound }
        if case .some(nil) = destination { throw .notFound }
        if case .some(nil) = place { throw .notFound }
        if case .some(nil) = camera { throw .notFound }
        try self.init(
            list, text: fields("q") ?? "", kind: fields("kind").flatMap { MediaKind($0) },
            isFavorite: fields("favorites") == "1", isHidden: fields("hidden") == "1",
            album: destination == nil ? album ?? nil : nil,
            place: place ?? nil, camera: camera ?? nil, destination: destination ?? nil, vocabulary)
    }

    /// Returns the same search for photos of another kind or camera, or for favorites.
    /// - Parameter other: The text of the search; `nil` for the same.
    func with(
        text other: String? = nil, kind: MediaKind?, isFavorite: Bool, camera: CameraName?,
        _ vocabulary: SearchVocabulary
    ) throws(ServiceError) -> LibraryQuery {
        try LibraryQuery(
            list, text: other ?? text, kind: kind, isFavorite: isFavorite, isHidden: isHidden, album: album,
            place: place, camera: camera, destination: destination, vocabulary)
    }

    /// The parameters of the page's address, without those of the page for all photos.
    var parameters: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if !text.isEmpty { parameters.append(("q", text)) }
        if let kind { parameters.append(("kind", kind.description)) }
        if isFavorite { parameters.append(("favorites", "1")) }
        if isHidden { parameters.append(("hidden", "1")) }
        if let album { parameters.append(("album", album.description)) }
        if let place { parameters.append(("place", place.description)) }
        if let camera { parameters.append(("camera", camera.description)) }
        if let destination { parameters.append(("for", destination.description)) }
        return parameters
    }

    /// The address of the page.
    /// - Parameter further: Parameters in their encoded form.
    func path(_ further: String...) -> String {
        let isPlain =
            list == .photos && text.isEmpty && kind == nil && album == nil && place == nil && camera == nil
            && destination == nil && isFavorite != isHidden
        let path = isPlain ? isHidden ? Self.archivePath : Self.favoritesPath : list.path
        let own = isPlain ? [] : encoded
        let all = own + further.filter { !$0.isEmpty }
        return all.isEmpty ? path : "\(path)?\(all.joined(separator: "&"))"
    }

    /// The address of a photo's page, which leads to the photos beside it in this search.
    func path(of photo: ContentDigest, archive outcome: ArchivedPhoto.Outcome?) -> String {
        let archive = outcome.map { ["archive=\($0.rawValue)"] } ?? []
        return "/library/photo?\((["id=\(photo)", "list=\(list)"] + encoded + archive).joined(separator: "&"))"
    }

    /// The section of the navigation.
    var section: Section {
        switch list {
        case .trash: .trash
        case .photos:
            if destination != nil {
                .albums
            } else if !text.isEmpty || kind != nil || camera != nil
                || [album != nil, place != nil, isFavorite, isHidden].count(where: { $0 }) > 1
            {
                .photos
            } else {
                album != nil
                    ? .albums : place != nil ? .places : isFavorite ? .favorites : isHidden ? .archive : .photos
            }
        }
    }

    /// The title of the page: the album to which photos are added, the search with its camera, the name of the album,
    /// place or camera, or that of the section.
    func title(_ texts: LocalizedStrings, _ view: LibraryView) -> String {
        if let album = view.destination { return texts(.albumAddTo, [.name: album.name.description]) }
        if !text.isEmpty { return camera.map { "\(text) · \($0)" } ?? text }
        if let album = view.album { return album.name.description }
        switch place {
        case .city(let city):
            let names = city.names(in: texts.language)
            if !names.isEmpty { return texts.place(names) }
        case .unlocated: return texts(.placeNone)
        case .remote: return texts(.placeRemote)
        case nil: break
        }
        if let camera { return camera.description }
        return section == .photos ? texts(.libraryTitle) : texts.all[section.rawValue] ?? ""
    }

    /// Whether its page is that of a search, which offers filters, and not a list.
    var isSearch: Bool { !text.isEmpty || kind != nil || place != nil || camera != nil }

    /// The parameters of the filters that the next search keeps: what was chosen among those that the page offers.
    var filters: [(name: String, value: String)] {
        parameters.filter { ["kind", "favorites", "camera"].contains($0.name) }
    }

    /// The parameters that the next search keeps: the filters of a search, and the album to which photos are added.
    func keptParameters(isSearch: Bool) -> [(name: String, value: String)] {
        (isSearch ? filters : []) + parameters.filter { $0.name == "for" }
    }

    /// The parameters in their encoded form.
    var encoded: [String] { parameters.map { "\($0.name)=\(Form.escaped($0.value))" } }
}

extension SearchVocabulary {
    /// Returns the names of the months, weekdays and kinds in all languages of the pages.
    init(_ catalog: TextCatalog) {
        var (months, kinds): ([String: Int], [String: MediaKind]) = ([:], [:])
        var (abbreviated, weekdays): ([String: Int], Set<String>) = ([:], [])
        // Some languages write abbreviations with a period, and people type them without.
        func key(_ name: String) -> String { String((name.last == "." ? name.dropLast() : name[...]).lowercased()) }
        for language in TextCatalog.languages {
            let texts = catalog.strings(for: nil, chosen: language)
            for (month, name) in texts.monthNames { months[name.lowercased()] = month }
            for (month, name) in texts.abbreviatedMonthNames { abbreviated[key(name)] = month }
            weekdays.formUnion(texts.weekdayNames.map(key))
            kinds[texts(.kindVideos).lowercased()] = .video
        }
        self.init(
            months: months, abbreviatedMonths: abbreviated, weekdays: weekdays, kinds: kinds,
            connectives: ["of", "de", "del"])
    }
}
