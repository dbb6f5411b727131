import ArgumentParser
import PhotolalaClient

/// The photos for which thumbnails are created.
enum ThumbnailFlag: String, EnumerableFlag {
    case newThumbnails, allThumbnails, noThumbnails

    static func help(for value: ThumbnailFlag) -> ArgumentHelp? {
        switch value {
        case .newThumbnails: "Of photos that are sent (default)."
        case .allThumbnails: "Of photos that are stored without one, too."
        case .noThumbnails: "None."
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
