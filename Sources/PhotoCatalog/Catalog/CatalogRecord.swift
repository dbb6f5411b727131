/// One row of a catalog in 112 bytes, so that a million rows fit into memory: the state of a content at a path. The
/// bytes of the path, the text of the type and the name of the camera are stored in the catalog.
///
/// A record has two registers, each with the timestamp of its last change: that the entry was added, with size and
/// type, and whether it is in the trash. Media facts are joined independently, because they follow from the content: a
/// device that cannot read a format does not erase facts that others have read.
package struct CatalogRecord: Sendable {
    package var md5 = ContentDigest(high: 0, low: 0)
    /// Length in bytes; -1 if only the trash state is known and no facts.
    package var size: Int64 = -1
    private var modifiedSeconds: Int64 = 0
    private var takenSeconds: Int64 = 0
    private var addedCounter: UInt64 = 0
    private var trashCounter: UInt64 = 0
    /// The width in the lowest 20 bits, above it the height in 20 bits and the color in 24 bits; each 0 if unknown.
    private var pixelsAndColor: UInt64 = 0
    var pathStart: UInt32 = 0
    private var addedDevice: UInt32 = 0
    private var trashDevice: UInt32 = 0
    /// When the entry was moved to the trash, in seconds since 1970 by the store's clock. 0 if it is not in the trash,
    /// which compares as `UInt32.max`; that value itself is never stored. `UInt32.max - 1` marks purged contents.
    var trashed: UInt32 = 0
    private var modifiedNanoseconds: Int32 = 0
    /// -1 where it is not known when it was taken, -2 where the file has a text that is no possible date.
    private var takenNanoseconds: Int32 = -1
    /// `Int32.min` where the location is not known.
    private var latitudeSteps = Int32.min
    private var longitudeSteps: Int32 = 0
    /// The index of the type among the catalog's types.
    var type: UInt32 = 0
    /// The index of the camera among the catalog's cameras, plus 1; 0 if unknown.
    private var cameraNumber: UInt32 = 0
    /// In milliseconds; 0 if unknown.
    private var durationMilliseconds: UInt32 = 0
    var pathLength: UInt16 = 0
    /// The orientation in the lower 4 bits, 0 if unknown. Above them the UTC offset of the capture date in minutes plus
    /// 1440, 0 if unknown.
    private var orientationAndOffset: UInt16 = 0

    var pathRange: Range<Int> { Int(pathStart)..<Int(pathStart) + Int(pathLength) }
    var hasFacts: Bool { size >= 0 }
    /// Whether the entry is in the library: it was added, and is not in the trash.
    package var isPresent: Bool { trashed == 0 && hasFacts }
    /// Whether the entry can be restored from the trash.
    var isInTrash: Bool { trashed > 0 && !isPurged && hasFacts }
    /// Whether the content was permanently deleted from the trash. For one timestamp this takes precedence over any
    /// trash date.
    package var isPurged: Bool { trashed == Self.purged }

    static let purged = UInt32.max - 1

    var modified: Timestamp {
        get { Timestamp(seconds: modifiedSeconds, nanoseconds: Int64(modifiedNanoseconds)) }
        set { (modifiedSeconds, modifiedNanoseconds) = (newValue.seconds, newValue.nanoseconds) }
    }

    /// The local time at which the photo was taken or, if that is unknown, the file's modification date, as if it were
    /// UTC.
    var date: Timestamp { taken?.clock ?? modified }

    private var taken: CaptureDate? {
        get {
            guard takenNanoseconds >= 0 else { return nil }
            let moment = Timestamp(seconds: takenSeconds, nanoseconds: Int64(takenNanoseconds))
            let bits = Int(orientationAndOffset >> 4)
            return CaptureDate(moment, offset: bits == 0 ? nil : bits - 1440)
        }
        set {
            takenSeconds = newValue?.moment.seconds ?? 0
            takenNanoseconds = newValue?.moment.nanoseconds ?? -1
            let bits = newValue?.offset.map { UInt16($0 + 1440) } ?? 0
            orientationAndOffset = orientationAndOffset & 15 | bits << 4
        }
    }

    /// The place of the date's text among the catalog's `unreadDates`, where that is no possible date.
    var unreadDate: UInt32? {
        get { takenNanoseconds == -2 ? UInt32(takenSeconds) : nil }
        set {
            taken = nil
            if let newValue { (takenSeconds, takenNanoseconds) = (Int64(newValue), -2) }
        }
    }

    private var orientation: UInt8 {
        get { UInt8(orientationAndOffset & 15) }
        set { orientationAndOffset = orientationAndOffset & ~15 | UInt16(newValue & 15) }
    }

    var location: GeoLocation? {
        get {
            guard latitudeSteps != .min else { return nil }
            return GeoLocation(latitudeSteps: Int64(latitudeSteps), longitudeSteps: Int64(longitudeSteps))
        }
        set {
            latitudeSteps = newValue?.latitudeSteps ?? .min
            longitudeSteps = newValue?.longitudeSteps ?? 0
        }
    }

    /// In pixels, up to 1,000,000; 0 if unknown.
    private var width: Int32 {
        get { Int32(pixelsAndColor & Self.pixelMask) }
        set { pixelsAndColor = pixelsAndColor & ~Self.pixelMask | Self.pixelBits(newValue) }
    }

    /// In pixels, up to 1,000,000; 0 if unknown.
    private var height: Int32 {
        get { Int32(pixelsAndColor >> 20 & Self.pixelMask) }
        set { pixelsAndColor = pixelsAndColor & ~(Self.pixelMask << 20) | Self.pixelBits(newValue) << 20 }
    }

    private static let pixelMask: UInt64 = 1 << 20 - 1

    /// Numbers outside of the range count as unknown.
    private static func pixelBits(_ value: Int32) -> UInt64 { (1...1_000_000).contains(value) ? UInt64(value) : 0 }

    var color: PictureColor? {
        get { PictureColor(value: UInt32(pixelsAndColor >> 40)) }
        set { pixelsAndColor = pixelsAndColor & (1 << 40 - 1) | UInt64(newValue?.value ?? 0) << 40 }
    }

    /// The duration of a video; `nil` if unknown.
    package internal(set) var duration: MediaDuration? {
        get { MediaDuration(milliseconds: durationMilliseconds) }
        set { durationMilliseconds = newValue?.milliseconds ?? 0 }
    }

    /// The index of the camera among the catalog's `cameras`; `nil` if unknown.
    package internal(set) var camera: Int? {
        get { cameraNumber > 0 ? Int(cameraNumber) - 1 : nil }
        set { cameraNumber = newValue.map { UInt32($0 + 1) } ?? 0 }
    }

    var added: LamportTimestamp {
        get { LamportTimestamp(counter: addedCounter, device: DeviceTag(value: addedDevice)) }
        set { (addedCounter, addedDevice) = (newValue.counter, newValue.device.value) }
    }

    var trashChanged: LamportTimestamp {
        get { LamportTimestamp(counter: trashCounter, device: DeviceTag(value: trashDevice)) }
        set { (trashCounter, trashDevice) = (newValue.counter, newValue.device.value) }
    }

    /// The larger counter of the two registers.
    var highestCounter: UInt64 { max(addedCounter, trashCounter) }

    /// The facts without the camera, which `Catalog.media(of:)` adds.
    package var media: MediaFacts {
        get {
            MediaFacts(
                taken: taken,
                width: width > 0 ? width : nil, height: height > 0 ? height : nil,
                orientation: orientation > 0 ? orientation : nil, location: location,
                color: color, duration: duration
            )
        }
        set {
            taken = newValue.taken
            (width, height) = (newValue.width ?? 0, newValue.height ?? 0)
            orientation = newValue.orientation ?? 0
            location = newValue.location
            color = newValue.color
            duration = newValue.duration
        }
    }

    /// Merges another record of the same content at the same path. Each part takes the larger of the two values in an
    /// order of its own, so that the result does not depend on the order of merges.
    /// - Parameters:
    ///   - other: with its type's place among the types of this record's catalog, and the same of an unread date and the
    ///     camera.
    ///   - isTypeLarger: whether the other's type is the larger text.
    ///   - isUnreadDateLarger: the same of an unread date, of which both have one.
    ///   - isCameraLarger: the same of the camera, which both have.
    mutating func join(
        _ other: CatalogRecord, isTypeLarger: @autoclosure () -> Bool, isUnreadDateLarger: @autoclosure () -> Bool,
        isCameraLarger: @autoclosure () -> Bool
    ) {
        let before = self
        if other.hasFactsOver(before, isTypeLarger) {
            (size, type, added) = (other.size, other.type, other.added)
        }
        joinDate(other, isUnreadDateLarger)
        joinPicture(other)
        if let otherValue = other.camera, camera == nil || isCameraLarger() { camera = otherValue }
        // Of one content's modification dates the oldest stays: only copying made others.
        if other.hasFacts, !before.hasFacts || other.modified < before.modified { modified = other.modified }
        if other.hasTrashOver(before) { (trashed, trashChanged) = (other.trashed, other.trashChanged) }
    }

    private func hasFactsOver(_ other: CatalogRecord, _ isTypeLarger: () -> Bool) -> Bool {
        guard added == other.added else { return added > other.added }
        guard size == other.size else { return size > other.size }
        return type != other.type && isTypeLarger()
    }

    /// A known date stays, and of two the one with an offset, then the later one. A text that is none wins over no text, and
    /// of two such texts the larger one wins.
    private mutating func joinDate(_ other: CatalogRecord, _ isUnreadDateLarger: () -> Bool) {
        if let otherValue = other.taken {
            if taken.map({ otherValue.wins(over: $0) }) ?? true { taken = otherValue }
        } else if taken == nil, let otherValue = other.unreadDate, unreadDate == nil || isUnreadDateLarger() {
            unreadDate = otherValue
        }
    }

    /// A known value stays; of two known ones, the larger. The same for location, color and duration.
    private mutating func joinPicture(_ other: CatalogRecord) {
        // Width and height of one picture belong together.
        if (other.sizeRank, other.width, other.height) > (sizeRank, width, height) {
            (width, height) = (other.width, other.height)
        }
        orientation = max(orientation, other.orientation)
        if let otherValue = other.color, color.map({ otherValue > $0 }) ?? true { color = otherValue }
        durationMilliseconds = max(durationMilliseconds, other.durationMilliseconds)
        if let otherValue = other.location, location.map({ otherValue > $0 }) ?? true { location = otherValue }
    }

    private var sizeRank: Int { width > 0 && height > 0 ? 1 : 0 }

    /// Returns whether this record's trash state has precedence. Of two changes with the same timestamp, the one that
    /// keeps the photo wins, then the one with the later trash date.
    private func hasTrashOver(_ other: CatalogRecord) -> Bool {
        guard trashChanged == other.trashChanged else { return trashChanged > other.trashChanged }
        return (trashed == 0 ? .max : trashed) > (other.trashed == 0 ? .max : other.trashed)
    }

    /// Whether both say the same, but for their paths, types, unread dates and cameras, which stand in
    /// their catalogs.
    func hasSameValues(_ other: CatalogRecord) -> Bool {
        md5 == other.md5 && size == other.size && modified == other.modified && media == other.media
            && added == other.added && trashed == other.trashed && trashChanged == other.trashChanged
    }
}
