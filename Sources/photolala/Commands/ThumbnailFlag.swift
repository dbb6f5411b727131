import ArgumentParser
import PhotolalaClient

/// Of which photos thumbnails are made.
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
