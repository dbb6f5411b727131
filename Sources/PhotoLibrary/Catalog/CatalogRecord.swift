/// One row of a catalog in 96 bytes, so that a million of them fit into memory: what is said of a content at a path. The
/// path's bytes and the type's text are in the catalog that it belongs to.
///
/// It has two registers, each with the stamp of its last change: that it was added, with size and type, and whether it is
/// in the trash. What the photo says of itself is joined by itself, for it follows from the content: whoever cannot read
/// it makes nobody forget it.
struct CatalogRecord: Sendable {
    var md5 = ContentDigest(high: 0, low: 0)
    /// Length in bytes; -1 where nobody told the facts, only that it went to the trash.
    var size: Int64 = -1
    private var modifiedSeconds: Int64 = 0
    private var takenSeconds: Int64 = 0
    private var addedCounter: UInt64 = 0
    private var trashCounter: UInt64 = 0
    var pathStart: UInt32 = 0
    private var addedDevice: UInt32 = 0
    private var trashDevice: UInt32 = 0
    /// When it went to the trash, in seconds since 1970 by the store's clock; 0 while it is not there, and never the
    /// largest number, in whose place that stands in the order of dates; the largest but that for what was purged.
    var trashed: UInt32 = 0
    private var modifiedNanoseconds: Int32 = 0
    /// -1 where it is not known when it was taken, -2 where the file has a text that is no possible date.
    private var takenNanoseconds: Int32 = -1
    private var width: Int32 = 0
    private var height: Int32 = 0
    /// The type's place among the catalog's types.
    var type: UInt32 = 0
    var pathLength: UInt16 = 0
    /// The orientation in the lower 4 bits, 0 where it is unknown. Above them the offset of the date in minutes from
    /// -1440, 0 where it is unknown.
    private var orientationAndOffset: UInt16 = 0

    var pathRange: Range<Int> { Int(pathStart)..<Int(pathStart) + Int(pathLength) }
    var hasFacts: Bool { size >= 0 }
    /// Whether it stands in the library: it was added, and is not in the trash.
    var isAlive: Bool { trashed == 0 && hasFacts }
    /// Whether it can be taken out of the trash.
    var isInTrash: Bool { trashed > 0 && !isPurged && hasFacts }
    /// Whether it was deleted from the trash for good. Of what one stamp says that wins over any date.
    var isPurged: Bool { trashed == Self.purged }

    static let purged = UInt32.max - 1

    var modified: Timestamp {
        get { Timestamp(seconds: modifiedSeconds, nanoseconds: Int64(modifiedNanoseconds)) }
        set { (modifiedSeconds, modifiedNanoseconds) = (newValue.seconds, newValue.nanoseconds) }
    }

    /// What the clock showed where it was taken or, unknown, when the file was last changed, as if it were UTC.
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

    var added: ChangeStamp {
        get { ChangeStamp(counter: addedCounter, device: DeviceTag(value: addedDevice)) }
        set { (addedCounter, addedDevice) = (newValue.counter, newValue.device.value) }
    }

    var trashChanged: ChangeStamp {
        get { ChangeStamp(counter: trashCounter, device: DeviceTag(value: trashDevice)) }
        set { (trashCounter, trashDevice) = (newValue.counter, newValue.device.value) }
    }

    /// The larger counter of the two registers.
    var highestCounter: UInt64 { max(addedCounter, trashCounter) }

    var media: MediaFacts {
        get {
            MediaFacts(
                taken: taken,
                width: width > 0 ? width : nil, height: height > 0 ? height : nil,
                orientation: orientation > 0 ? orientation : nil
            )
        }
        set {
            taken = newValue.taken
            (width, height) = (newValue.width ?? 0, newValue.height ?? 0)
            orientation = newValue.orientation ?? 0
        }
    }

    /// Takes in what another record says of the same content at the same path. Each part ends as the larger of the two
    /// in an order of its own, so that the order in which records meet does not matter.
    /// - Parameters:
    ///   - other: with its type's place among the types of this record's catalog, and the same of an unread date.
    ///   - isTypeLarger: whether the other's type is the larger text.
    ///   - isUnreadDateLarger: the same of an unread date, of which both have one.
    mutating func join(
        _ other: CatalogRecord, isTypeLarger: @autoclosure () -> Bool, isUnreadDateLarger: @autoclosure () -> Bool
    ) {
        let before = self
        if other.hasFactsOver(before, isTypeLarger) {
            (size, type, added) = (other.size, other.type, other.added)
        }
        joinDate(other, isUnreadDateLarger)
        joinSize(other)
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
        if let theirs = other.taken {
            if taken.map({ theirs.wins(over: $0) }) ?? true { taken = theirs }
        } else if taken == nil, let theirs = other.unreadDate, unreadDate == nil || isUnreadDateLarger() {
            unreadDate = theirs
        }
    }

    /// What is known stays; of two that are known the larger.
    private mutating func joinSize(_ other: CatalogRecord) {
        // Width and height of one picture belong together.
        if (other.isSizeKnown, other.width, other.height) > (isSizeKnown, width, height) {
            (width, height) = (other.width, other.height)
        }
        orientation = max(orientation, other.orientation)
    }

    private var isSizeKnown: Int { width > 0 && height > 0 ? 1 : 0 }

    /// Of two changes with one stamp the one that keeps the photo wins, and then the one that keeps it longer.
    private func hasTrashOver(_ other: CatalogRecord) -> Bool {
        guard trashChanged == other.trashChanged else { return trashChanged > other.trashChanged }
        return (trashed == 0 ? .max : trashed) > (other.trashed == 0 ? .max : other.trashed)
    }

    /// Whether both say the same, but for their paths, types and unread dates, which stand in their catalogs.
    func says(_ other: CatalogRecord) -> Bool {
        md5 == other.md5 && size == other.size && modified == other.modified && media == other.media
            && added == other.added && trashed == other.trashed && trashChanged == other.trashChanged
    }
}
