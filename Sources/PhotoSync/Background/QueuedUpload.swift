import Foundation
import PhotoCatalog

/// A content that waits for its upload in the background, or for its entry in the catalog.
struct QueuedUpload: Sendable, Equatable {
    let entry: CatalogEntry
    var state: State

    enum State: Sendable, Equatable {
        case planned
        /// Space is reserved, and no task is known.
        case addressed(UploadAddress)
        case handed(UploadAddress, task: Int, PermittedNetworks)
        /// The store has the bytes; the entry is missing in the catalog.
        case stored
    }

    var md5: ContentDigest { entry.md5 }

    /// The address, if there is one.
    var address: UploadAddress? {
        switch state {
        case .addressed(let address), .handed(let address, _, _): address
        case .planned, .stored: nil
        }
    }

    /// The number of the task that was started last.
    var task: Int? { if case .handed(_, let task, _) = state { task } else { nil } }
}

/// One line of the queue's file: the last one of a content counts.
enum QueueRow {
    case upload(QueuedUpload)
    case removed(ContentDigest)

    private static let removedMarker = "gone"
    private static let (planned, addressed, handed, stored) = ("planned", "addressed", "handed", "stored")
    private static let states = [planned, addressed, handed, stored]

    /// The line with its terminator.
    var line: [UInt8] { JournalRow.line(of: fields.map(JournalRow.escaped)) }

    private var fields: [String] {
        switch self {
        case .removed(let md5): return [md5.description, Self.removedMarker]
        case .upload(let upload):
            let (entry, media) = (upload.entry, upload.entry.media)
            let fields = [
                entry.md5.description, entry.path.description, String(entry.size), entry.modified.description,
                entry.type.description, media.taken?.description ?? "", media.width.map { String($0) } ?? "",
                media.height.map { String($0) } ?? "", media.orientation.map { String($0) } ?? "",
                media.location?.text ?? "", media.duration.map { String($0.milliseconds) } ?? "",
                media.camera?.description ?? "",
            ]
            switch upload.state {
            case .planned: return fields + [Self.planned]
            case .stored: return fields + [Self.stored]
            case .addressed(let address): return fields + [Self.addressed] + Self.fields(of: address)
            case .handed(let address, let task, let networks):
                return fields + [Self.handed] + Self.fields(of: address) + [String(task), networks.rawValue]
            }
        }
    }

    private static func fields(of address: UploadAddress) -> [String] {
        let headers = address.headers.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        return [address.url, String(address.expiresAt.timeIntervalSince1970), headers.joined(separator: "\n")]
    }

    /// Parses a line; returns `nil` if it is incomplete.
    init?(line: some Collection<UInt8>) {
        guard let fields = JournalRow.fields(of: line)?.map(JournalRow.unescaped), fields.count >= 2,
            let md5 = ContentDigest(fields[0])
        else { return nil }
        if fields.count == 2, fields[1] == Self.removedMarker {
            self = .removed(md5)
            return
        }
        guard fields.count >= 10, let path = LibraryPath(fields[1]), let size = Int64(fields[2]),
            let modified = Timestamp(fields[3]), let type = MediaType(fields[4])
        else { return nil }
        // Lines of earlier versions have the state in place of the location, the duration and the camera.
        let isShort = Self.states.contains(fields[9])
        guard isShort || fields.count >= 13, let state = Self.state(of: Array(fields[(isShort ? 9 : 12)...])) else {
            return nil
        }
        var media = MediaFacts(
            taken: CaptureDate(fields[5]), width: Int32(fields[6]), height: Int32(fields[7]),
            orientation: UInt8(fields[8]))
        if !isShort {
            media.location = GeoLocation(fields[9])
            media.duration = UInt32(fields[10]).flatMap { MediaDuration(milliseconds: $0) }
            media.camera = CameraName(fields[11])
        }
        self = .upload(
            QueuedUpload(
                entry: CatalogEntry(path: path, md5: md5, size: size, modified: modified, type: type, media: media),
                state: state))
    }

    private static func state(of fields: [String]) -> QueuedUpload.State? {
        switch (fields[0], fields.count) {
        case (planned, 1): return .planned
        case (stored, 1): return .stored
        case (addressed, 4): return address(of: fields).map { .addressed($0) }
        case (handed, 6):
            guard let address = address(of: fields), let task = Int(fields[4]),
                let networks = PermittedNetworks(rawValue: fields[5])
            else { return nil }
            return .handed(address, task: task, networks)
        default: return nil
        }
    }

    private static func address(of fields: [String]) -> UploadAddress? {
        guard let end = Double(fields[2]) else { return nil }
        var headers: [String: String] = [:]
        for header in fields[3].split(separator: "\n") {
            let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            headers[String(parts[0])] = String(parts[1])
        }
        return UploadAddress(url: fields[1], headers: headers, expiresAt: Date(timeIntervalSince1970: end))
    }
}
