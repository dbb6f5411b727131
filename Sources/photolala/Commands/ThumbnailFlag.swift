import ArgumentParser
import PhotolalaClient

/// The photos for which thumbnails are created.
enum ThumbnailFlag: String, EnumerableFlag {
    case newThumbnails, allThumbnails, noThumbnails

    static func help(for value: ThumbnailFlag) -> ArgumentHelp? {
        switch value {
        case .newThumbnails: "Create thumbnails and previews of uploaded photos."
        case .allThumbnails: "Also create missing thumbnails and previews of stored photos."
        case .noThumbnails: "Create no thumbnails or previews."
        }
    }

    var choice: ThumbnailChoice {
        switch self {
        case .newThumbnails: .ofNewPhotos
        case .allThumbnails: .ofAllPhotos
        case .noThumbnails: .none
        }
    }
}
