/// A picture in a page's HTML.
enum Icon: String, CaseIterable {
    case photos, trash, upload, person

    var html: String { String(decoding: bytes, as: UTF8.self) }

    private var bytes: [UInt8] {
        switch self {
        case .photos: PackageResources.photos_svg
        case .trash: PackageResources.trash_svg
        case .upload: PackageResources.upload_svg
        case .person: PackageResources.person_svg
        }
    }
}
