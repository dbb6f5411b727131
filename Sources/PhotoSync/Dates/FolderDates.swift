import NIOCore
import PhotoCatalog

/// A source of date information from the files of one folder.
protocol DateSource: Sendable {
    /// Returns the date information in a photo's metadata; `nil` if it cannot be read.
    /// - Throws: If the read was cancelled, or the result is temporarily unavailable.
    func clues(of path: LibraryPath, type: MediaType) async throws -> CaptureClues?
    /// Returns the bytes of a sidecar; `nil` if it is longer than `limit` bytes or cannot be read.
    func sidecar(_ path: LibraryPath, limit: Int) async throws -> ByteBuffer?
}

/// The capture dates of the photos in one folder.
///
/// The date is the first plausible one of: EXIF, XMP in the file, QuickTime; the `.xmp` sidecar; the Google Takeout
/// `.json` sidecar. Its offset is the recorded one, else the difference to the camera's GPS time, else the offset of a
/// neighbor, else that of the zone. A neighbor is one of the 16 pictures before or after it in path order, from the
/// same camera, with an offset of its own and a local time at most 12 hours apart. The nearest local time has
/// precedence, then the earlier one, then the first path. The result therefore depends only on the folder and the zone,
/// and not on the order in which files are read.
actor FolderDates {
    /// The number of pictures before a photo, and of those after it, that count as neighbors.
    private static let neighbourReach = 16
    private static let maximumNeighbourDistance: Int64 = 12 * 3600
    /// The maximum number of pictures whose clues are cached.
    private static let cacheLimit = 256

    private let files: [(path: LibraryPath, type: MediaType)]
    private let source: any DateSource
    private let zone: CaptureZone?
    private let limit: Timestamp
    private lazy var pictures = files.filter { !$0.type.isVideo && !$0.type.isSidecar }
    private lazy var sidecars = Self.sidecars(of: files)
    private var cachedClues: [LibraryPath: CaptureClues?] = [:]

    /// - Parameters:
    ///   - files: All files of the folder, in any order.
    ///   - zone: `nil` if it is unknown; dates may then have no offset.
    ///   - limit: The latest plausible capture date.
    init(
        of files: [(path: LibraryPath, type: MediaType)], source: any DateSource, zone: CaptureZone?,
        until limit: Timestamp
    ) {
        self.files = files.sorted { $0.path < $1.path }
        (self.source, self.zone, self.limit) = (source, zone, limit)
    }

    /// Returns when a photo or video of the folder was taken; `nil` if no source has a date.
    /// - Parameter clues: The date information in the file's metadata.
    /// - Throws: Errors thrown by the source.
    func date(of path: LibraryPath, _ clues: CaptureClues) async throws -> CaptureDate? {
        try await resolveDate(path, clues).date
    }

    /// Returns the date like `date(of:_:)`, and whether the offset comes from the zone.
    func resolveDate(
        _ path: LibraryPath, _ clues: CaptureClues
    ) async throws -> (date: CaptureDate?, isOfZone: Bool) {
        var found = clues.date(until: limit)
        if found == nil { found = try await sidecarDate(path) }
        switch found {
        case nil: return (nil, false)
        case .whole(let date): return (date, false)
        case .moment(let moment):
            if let date = zone?.date(of: moment) { return (date, true) }
            return (CaptureDate(moment), false)
        case .clock(let clock):
            if let offset = try await neighbourOffset(of: path, clock: clock, camera: clues.camera),
                let date = CaptureDate(clock: clock, offset: offset)
            {
                return (date, false)
            }
            if let date = zone?.date(ofClock: clock) { return (date, true) }
            return (CaptureDate(clock), false)
        }
    }

    /// Returns the date from the first sidecar that has one.
    private func sidecarDate(_ path: LibraryPath) async throws -> FoundDate? {
        for sidecar in sidecars[path] ?? [] {
            var clues = CaptureClues()
            if sidecar.type == .xmp, let bytes = try await source.sidecar(sidecar.path, limit: XMPDates.limit) {
                clues.dates = XMPDates.clues(in: Array(bytes.readableBytesView))
            }
            if sidecar.type == .takeoutDescription,
                let bytes = try await source.sidecar(sidecar.path, limit: TakeoutDates.limit)
            {
                clues.dates = TakeoutDates.clue(in: bytes).map { [$0] } ?? []
            }
            if let found = clues.date(until: limit) { return found }
        }
        return nil
    }

    private func neighbourOffset(of path: LibraryPath, clock: Timestamp, camera: String?) async throws -> Int? {
        guard let camera, let index = pictures.firstIndex(notBefore: path) else { return nil }
        let range = max(0, index - Self.neighbourReach)..<min(pictures.count, index + Self.neighbourReach + 1)
        var best: (distance: Int64, clock: Timestamp, offset: Int)?
        for (other, type) in pictures[range] where other != path {
            guard let clues = try await read(other, type), clues.camera == camera,
                case .whole(let date) = clues.date(until: limit), let offset = date.offset
            else { continue }
            let distance = abs(date.clock.seconds - clock.seconds)
            guard distance <= Self.maximumNeighbourDistance else { continue }
            if let best, (best.distance, best.clock) <= (distance, date.clock) { continue }
            best = (distance, date.clock, offset)
        }
        return best?.offset
    }

    private func read(_ path: LibraryPath, _ type: MediaType) async throws -> CaptureClues? {
        if let known = cachedClues[path] { return known }
        let clues = try await source.clues(of: path, type: type)
        if cachedClues.count >= Self.cacheLimit { cachedClues.removeAll(keepingCapacity: true) }
        cachedClues[path] = .some(clues)
        return clues
    }

    /// Returns the sidecars of each photo and video, XMP before Takeout.
    private static func sidecars(
        of files: [(path: LibraryPath, type: MediaType)]
    ) -> [LibraryPath: [(path: LibraryPath, type: MediaType)]] {
        let types = Dictionary(
            files.filter { $0.type.isSidecar }.map { ($0.path, $0.type) }, uniquingKeysWith: { first, _ in first })
        guard !types.isEmpty else { return [:] }
        var found: [LibraryPath: [(path: LibraryPath, type: MediaType)]] = [:]
        for group in MediaGroup.groups(of: files).groups {
            let companions = group.companions.compactMap { path in types[path].map { (path: path, type: $0) } }
            let ordered = companions.filter { $0.type == .xmp } + companions.filter { $0.type == .takeoutDescription }
            guard !ordered.isEmpty else { continue }
            for path in [group.primary] + group.companions where types[path] == nil { found[path] = ordered }
        }
        return found
    }
}

extension [(path: LibraryPath, type: MediaType)] {
    /// Returns the index of the first file whose path does not sort before this one. The files must be sorted by path.
    fileprivate func firstIndex(notBefore path: LibraryPath) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
