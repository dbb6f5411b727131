extension Catalog {
    /// Merges another catalog into this one. Associative, commutative and idempotent.
    package mutating func join(_ other: Catalog) {
        guard !other.records.isEmpty else { return }
        self = records.isEmpty ? other : Catalog(joining: self, other)
    }

    /// Returns the join of many catalogs. Catalogs of similar size are joined with each other, so that each record is
    /// moved about log2(n) times for n catalogs.
    static func join(of catalogs: [Catalog]) -> Catalog {
        var pending = catalogs.sorted { $0.records.count < $1.records.count }
        while pending.count > 1 {
            var next: [Catalog] = []
            while let first = pending.popLast() {
                guard var joined = pending.popLast() else {
                    next.append(first)
                    break
                }
                joined.join(first)
                next.append(joined)
            }
            pending = next.sorted { $0.records.count < $1.records.count }
        }
        return pending.first ?? Catalog()
    }

    private init(joining left: Catalog, _ right: Catalog) {
        self.init()
        var table = ValueTable(left.types)
        let moved = right.types.map { table.index(of: $0) }
        types = table.values
        var dates = UnreadDates(left.unreadDates)
        let movedDates = right.unreadDates.map { dates.index(of: $0) }
        unreadDates = dates.texts
        var cameraTable = ValueTable(left.cameras)
        let movedCameras = right.cameras.map { cameraTable.index(of: $0) }
        cameras = cameraTable.values
        let names = Catalog(namesOf: self)
        records.reserveCapacity(left.records.count + right.records.count)
        text.reserveCapacity(left.text.count + right.text.count)
        left.withPaths { mine in
            right.withPaths { theirs in
                var (one, other) = (0, 0)
                while one < mine.records.count || other < theirs.records.count {
                    let order = Self.order(mine, one, theirs, other)
                    var record = order <= 0 ? mine.records[one] : theirs.records[other]
                    let path = order <= 0 ? mine[one] : theirs[other]
                    if order > 0 { record.move(to: moved, movedDates, movedCameras) }
                    if order == 0 {
                        var same = theirs.records[other]
                        same.move(to: moved, movedDates, movedCameras)
                        record.join(same, in: names)
                    }
                    append(record, path)
                    if order <= 0 { one += 1 }
                    if order >= 0 { other += 1 }
                }
            }
        }
    }

    /// Returns the records that are not known in another catalog.
    func difference(over known: Catalog) -> Catalog {
        let joined = Catalog.join(of: [known, self])
        var (news, next) = (Catalog(namesOf: joined), 0)
        joined.withPaths { all in
            known.withPaths { old in
                for (index, record) in all.records.enumerated() {
                    var isKnown = false
                    if next < old.records.count, Self.order(old, next, all, index) == 0 {
                        let before = old.records[next]
                        isKnown =
                            before.hasSameValues(record)
                            && (!record.hasFacts || known.types[Int(before.type)] == joined.types[Int(record.type)])
                            && known.unreadDate(of: before) == joined.unreadDate(of: record)
                            && known.camera(of: before) == joined.camera(of: record)
                        next += 1
                    }
                    if !isKnown { news.append(record, all[index]) }
                }
            }
        }
        return news
    }

    /// Compares the next records of both sides: -1, 0 or 1. A side without further records comes last.
    private static func order(_ left: CatalogPaths, _ one: Int, _ right: CatalogPaths, _ other: Int) -> Int {
        guard one < left.records.count else { return 1 }
        guard other < right.records.count else { return -1 }
        let order = left[one].compared(to: right[other])
        guard order == 0 else { return order }
        let (mine, theirs) = (left.records[one].md5, right.records[other].md5)
        return mine == theirs ? 0 : mine < theirs ? -1 : 1
    }

    /// Appends a record that follows all others in order.
    mutating func append(_ record: CatalogRecord, _ path: UnsafeBufferPointer<UInt8>) {
        var record = record
        record.pathStart = UInt32(text.count)
        record.pathLength = UInt16(path.count)
        text.append(contentsOf: path)
        records.append(record)
        if record.isPresent { count += 1 }
        highestCounter = max(highestCounter, record.highestCounter)
    }
}

extension CatalogRecord {
    /// Gives its type, its unread date and its camera their indices in another catalog.
    fileprivate mutating func move(to types: [UInt32], _ dates: [UInt32], _ cameras: [UInt32]) {
        type = types.isEmpty ? 0 : types[Int(type)]
        if let date = unreadDate { unreadDate = dates[Int(date)] }
        if let camera { self.camera = Int(cameras[camera]) }
    }

    /// Takes in another record of the same catalog.
    fileprivate mutating func join(_ other: CatalogRecord, in catalog: Catalog) {
        let mine = self
        join(
            other,
            isTypeLarger: catalog.types[Int(other.type)].description > catalog.types[Int(mine.type)].description,
            isUnreadDateLarger: catalog.unreadDate(of: mine)?
                .lexicographicallyPrecedes(catalog.unreadDate(of: other) ?? []) ?? true,
            isCameraLarger: catalog.camera(of: mine).map { mine in
                catalog.camera(of: other).map { mine < $0 } ?? false
            } ?? true)
    }
}
