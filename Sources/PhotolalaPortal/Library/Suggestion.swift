import Foundation
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// A page that the search box suggests while its name is typed.
struct Suggestion: Encodable, Equatable {
    let icon: String
    let name: String
    /// The area of a place.
    var detail: String?
    /// What an album or a camera is, in a word.
    var kind: String?
    /// The number of photos on its page; `nil` where that is not known.
    var count: String?
    let path: String

    private init(
        _ icon: Icon, _ name: String, detail: String? = nil, kind: String? = nil, count: String? = nil, path: String
    ) {
        (self.icon, self.name, self.detail) = (icon.rawValue, name, detail)
        (self.kind, self.count, self.path) = (kind, count, path)
    }

    /// The icons by name, for templates.
    static let icons = [
        Icon.photos, .play, .album, .place, .favorite, .archive, .trash, .camera, .calendar, .recent,
    ].map { ["name": $0.rawValue, "html": $0.html] }

    /// The largest numbers of cities, of regions, of countries, of cameras and of months that are suggested.
    private static let (mostPlaces, mostAreas, mostCameras, mostMonths) = (200, 60, 40, 240)

    /// Returns all suggestions of an account in a language: sections and kinds, then albums, places, cameras and
    /// dates, each with the most used first and the dates with the newest.
    static func all(
        _ names: LibraryNames, _ texts: LocalizedStrings, _ vocabulary: SearchVocabulary
    ) throws(ServiceError) -> [Suggestion] {
        var all: [Suggestion] = []
        for section in Section.library where section != .photos && section != .sharedLinks {
            guard let icon = section.icon, let name = texts.all[section.rawValue] else { continue }
            all.append(Suggestion(icon, name, path: section.path))
        }
        for (kind, title) in LibraryQuery.kinds {
            guard let kind, names.photos.count(of: kind) > 0 else { continue }
            all.append(
                Suggestion(
                    kind == .video ? .play : .photos, texts(title), count: texts.number(names.photos.count(of: kind)),
                    path: try LibraryQuery(.photos, kind: kind, vocabulary).path()))
        }
        for album in names.albums {
            all.append(
                Suggestion(
                    .album, album.name.description, kind: texts(.shareAlbum), count: texts.number(album.count),
                    path: try LibraryQuery(.photos, album: album.id, vocabulary).path()))
        }
        all += try places(names, texts, vocabulary)
        for camera in names.photos.cameras.prefix(mostCameras) {
            all.append(
                Suggestion(
                    .camera, camera.value.description, kind: texts(.factCamera), count: texts.number(camera.count),
                    path: try LibraryQuery(.photos, camera: camera.value, vocabulary).path()))
        }
        var years: [Int] = []
        for month in names.photos.months.prefix(mostMonths) where years.last != month.year { years.append(month.year) }
        let months = names.photos.months.prefix(mostMonths).map(texts.month)
        // A search for these words may also find names of files, so their photos are not counted.
        for date in years.map({ String($0) }) + months {
            all.append(Suggestion(.calendar, date, path: try LibraryQuery(.photos, text: date, vocabulary).path()))
        }
        return all
    }

    /// Returns the cities, regions and countries. The last two are searches for their names.
    private static func places(
        _ names: LibraryNames, _ texts: LocalizedStrings, _ vocabulary: SearchVocabulary
    ) throws(ServiceError) -> [Suggestion] {
        var cities: [Suggestion] = []
        var known: Set<[String]> = []
        // In the order of their largest cities.
        var (regions, countries): ([Suggestion], [Suggestion]) = ([], [])
        for city in names.photos.places.prefix(mostPlaces) {
            let path = city.value.names(in: texts.language)
            guard let name = path.first else { continue }
            let area = texts.place(path.dropFirst())
            cities.append(
                Suggestion(
                    .place, name, detail: area.isEmpty ? nil : area, count: texts.number(city.count),
                    path: try LibraryQuery(.photos, place: .city(city.value), vocabulary).path()))
            for start in path.indices.dropFirst() {
                let (own, rest) = (Array(path[start...]), texts.place(path.dropFirst(start + 1)))
                guard known.insert(own).inserted,
                    let query = try? LibraryQuery(.photos, text: texts.place(own), vocabulary)
                else { continue }
                let area = Suggestion(.place, own[0], detail: rest.isEmpty ? nil : rest, path: query.path())
                if rest.isEmpty { countries.append(area) } else { regions.append(area) }
            }
        }
        return Array(countries.prefix(mostAreas)) + cities + Array(regions.prefix(mostAreas))
    }

    /// Returns whether a search has all words of the name.
    func isNamed(in words: Set<String>) -> Bool {
        let own = Self.words(name)
        return icon != Icon.calendar.rawValue && !own.isEmpty && words.isSuperset(of: own)
    }

    /// Returns the words of a text without case and accents.
    static func words(_ text: String) -> Set<String> {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        let folded = text.folding(options: options, locale: nil)
        return Set(folded.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
}
