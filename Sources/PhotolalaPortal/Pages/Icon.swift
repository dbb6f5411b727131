/// A picture in a page's HTML.
enum Icon: String, CaseIterable {
    case photos, album, place, favorite, archive, unarchive, trash, upload, person, search
    case back, previous, next, play, info, download, close, restore, share, live
    case phone, computer, browser

    /// All pictures by name, for templates.
    static let all = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.html) })

    var html: String { String(decoding: bytes, as: UTF8.self) }

    private var bytes: [UInt8] {
        switch self {
        case .photos: PackageResources.photos_svg
        case .album: PackageResources.album_svg
        case .place: PackageResources.place_svg
        case .favorite: PackageResources.favorite_svg
        case .archive: PackageResources.archive_svg
        case .unarchive: PackageResources.unarchive_svg
        case .trash: PackageResources.trash_svg
        case .upload: PackageResources.upload_svg
        case .person: PackageResources.person_svg
        case .search: PackageResources.search_svg
        case .back: PackageResources.back_svg
        case .previous: PackageResources.previous_svg
        case .next: PackageResources.next_svg
        case .play: PackageResources.play_svg
        case .info: PackageResources.info_svg
        case .download: PackageResources.download_svg
        case .close: PackageResources.close_svg
        case .restore: PackageResources.restore_svg
        case .share: PackageResources.share_svg
        case .phone: PackageResources.phone_svg
        case .computer: PackageResources.computer_svg
        case .browser: PackageResources.browser_svg
        case .live: PackageResources.live_svg
        }
    }
}
