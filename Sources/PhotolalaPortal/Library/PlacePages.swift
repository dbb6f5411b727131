import Hummingbird
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The page with the cities of a person's photos. The photos of a city are a search of the library.
struct PlacePages: Sendable {
    static let path = "/library/places"
    /// The largest number of cities on a page.
    private static let size = 120

    let context: PageContext
    let account: AccountPages
    let uploads: UploadEndpoints

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Self.path, on: router) { try await show($0) }
    }

    private func show(_ page: AccountPage) async throws -> Response {
        let texts = page.browserRequest.texts
        async let usage = context.services.usage.lastCount(of: page.caller.user, caller: page.caller)
        let library = try await context.services.library.places(page.caller)
        let (all, photos) = (library.places.places, library.timeline.photos)
        let shown = Self.range(from: page.query["from"].flatMap { Int($0) } ?? 0, of: all.count)
        let pictures = try await TilePictures(all[shown].map { photos[$0.newest] }, context, page)
        let map = PlaceMap(all[shown].map(\.place), largest: all[shown].map(\.count).max() ?? 1)
        let places = try zip(shown, pictures.contents).map { index, picture -> [String: any Sendable] in
            let (place, names) = (all[index], all[index].place.names(in: texts.language))
            var card: [String: any Sendable] = [
                "name": names.first ?? "", "area": texts.place(names.dropFirst()),
                "fullName": texts.place(names), "count": texts.number(place.count),
                "items": texts.items(place.count), "total": String(place.count),
                "path": try LibraryQuery(.photos, place: .city(place.place), context.vocabulary).path(),
                // The arrow keys move among the others.
                "stop": index == shown.lowerBound ? "0" : "-1",
            ]
            card.merge(picture) { own, _ in own }
            card.merge(map.dot(of: place)) { own, _ in own }
            return card
        }
        let others: [(PhotoPlace, Int, TextName)] = [
            (.unlocated, library.places.unlocated, .placesUnlocated), (.remote, library.places.remote, .placesRemote),
        ]
        var content: [String: any Sendable] = [
            "places": places, "isEmpty": all.isEmpty, "placeIcon": Icon.place.html, "view": map.viewBox,
            "world": context.pages.asset(PageAssets.coastline), "module": context.pages.asset("places.js"),
            "others": try others.filter { $0.1 > 0 }.map { place, count, text in
                [
                    "path": try LibraryQuery(.photos, place: place, context.vocabulary).path(),
                    "text": texts(text, [.count: texts.items(count)]),
                ]
            },
            "more": shown.count < all.count, "cluster": texts(.mapCluster), "icons": Icon.all,
        ]
        if shown.lowerBound > 0 { content["before"] = Self.path(from: shown.lowerBound - Self.size) }
        if shown.upperBound < all.count { content["after"] = Self.path(from: shown.upperBound) }
        content.merge(try uploads.panel(page)) { own, _ in own }
        let stored = try await usage
        content["storage"] = StorageBar.content(used: stored.storageUsed ?? 0, limit: stored.storageLimit, texts)
        return try context.page(
            "places", content, page, section: .places,
            policy: UploadEndpoints.policy(content, store: pictures.origin))
    }

    /// Returns the cities of the page with a given one.
    static func range(from first: Int, of count: Int) -> Range<Int> {
        let start = min(max(first, 0), max(count - 1, 0)) / size * size
        return start..<min(start + size, count)
    }

    private static func path(from first: Int) -> String { first > 0 ? "\(path)?from=\(first)" : path }
}
