import Hummingbird
import Localization
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The part of a photo's page that replaces the original while it is in an archive of the store.
struct ArchivedPhoto {
    /// The path of the form that requests a photo.
    static let path = "/library/photo/recall"

    /// The outcome of a request, as a field of the photo page's URL.
    enum Outcome: String {
        case bulk, standard, expedited
        case denied, limited, unavailable

        init(_ result: PhotoRetrieval, _ speed: RetrievalTier) {
            self =
                switch result {
                case .denied(isLimited: false): .denied
                case .denied(isLimited: true): .limited
                case .speedUnavailable: .unavailable
                case .underWay, .readable:
                    switch speed {
                    case .bulk: .bulk
                    case .standard: .standard
                    case .expedited: .expedited
                    }
                }
        }
    }

    let entry: CatalogEntry
    let state: ArchiveState
    let query: LibraryQuery
    let outcome: Outcome?
    let texts: LocalizedStrings

    /// The template content; `nil` for a photo that can be read.
    var content: [String: any Sendable]? {
        switch state {
        case .readable: return nil
        case .restoring(let kind):
            let speed = outcome.flatMap { RetrievalTier(rawValue: $0.rawValue) }
            let time = speed.flatMap { kind.maximumDuration($0) } ?? kind.maximumDuration
            return ["text": texts(.archiveUnderWay, [.duration: texts.duration(time)])]
        case .archived(let kind):
            let options = ArchiveOptions(estimate: RetrievalEstimate(kind, bytes: entry.size), texts: texts)
            let own: [String: any Sendable] = [
                "action": Self.path, "id": entry.md5.description, "list": query.list.rawValue,
            ]
            var content: [String: any Sendable] = [
                "text": texts(.archiveText), "retrieval": own.merging(options.content) { own, _ in own },
            ]
            content["notice"] = notice
            return content
        }
    }

    private var notice: String? {
        switch outcome {
        case .denied: texts(.archiveDenied)
        case .limited: texts(.archiveDeniedLimited)
        case .unavailable: texts(.archiveSpeedUnavailable)
        case nil, .bulk, .standard, .expedited: nil
        }
    }
}
