import Foundation

/// The resources of an asset of the system's photo library, from what PhotoKit reports.
enum PhotoKitResources {
    /// A resource as PhotoKit reports it: the raw value of its `PHAssetResourceType` and its original file name.
    struct Reported: Sendable, Equatable {
        let type: Int
        let name: String
    }

    /// Returns an ID for each resource: its type, and its position among several of one type.
    static func ids(of reported: [Reported]) -> [String] {
        var counts: [Int: Int] = [:]
        return reported.map { resource in
            let number = counts[resource.type, default: 0]
            counts[resource.type] = number + 1
            return number == 0 ? "\(resource.type)" : "\(resource.type)-\(number)"
        }
    }

    /// Returns the resources that are backed up: originals, edited versions, and the description of the edits. PhotoKit
    /// also reports intermediate versions and previews.
    ///
    /// An original never changes, so its date is the capture date: marking a photo as a favorite changes the asset's
    /// modification date and must not download the photo again.
    static func resources(_ reported: [Reported], created: Date?, modified: Date?) -> [PhotoResource] {
        let original = created ?? Date(timeIntervalSince1970: 0)
        let primary = reported.first { kinds[$0.type].map { !$0.isEdited && $0 != .adjustments } ?? false }
        return zip(reported, ids(of: reported)).compactMap { resource, id in
            guard let kind = kinds[resource.type] else { return nil }
            let changes = kind.isEdited || kind == .adjustments
            // PhotoKit calls it Adjustments.plist, and the export of a photo IMG_1234.AAE.
            let name =
                kind == .adjustments
                ? (((primary?.name ?? "asset") as NSString).deletingPathExtension + ".AAE") : resource.name
            return PhotoResource(id: id, kind: kind, name: name, modified: changes ? modified ?? original : original)
        }
    }

    /// Returns the role of a resource from its ID.
    static func kind(ofID id: String) -> PhotoResource.Kind? { Int(id.prefix { $0 != "-" }).flatMap { kinds[$0] } }

    /// By the raw values of `PHAssetResourceType`.
    private static let kinds: [Int: PhotoResource.Kind] = [
        1: .photo, 2: .video, 4: .alternatePhoto, 5: .editedPhoto, 6: .editedVideo, 7: .adjustments, 9: .pairedVideo,
        10: .editedPairedVideo,
    ]
}
