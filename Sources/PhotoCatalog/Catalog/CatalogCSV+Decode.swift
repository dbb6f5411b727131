import NIOCore

extension CatalogCSV {
    /// Decodes a file; throws if its format is invalid.
    /// - Parameter blockLength: The number of bytes that are read at a time.
    package static func decode(
        _ bytes: ByteBuffer, blockLength: Int = CSVBlocks.length
    ) throws(CatalogError) -> CatalogFile {
        var assembly = CatalogAssembly(bytes)
        for block in CSVBlocks.divide(bytes, length: blockLength) {
            try assembly.append(
                Result { () throws(CatalogError) in try CatalogBlock.read(block, table: assembly.table) })
        }
        return try assembly.finish()
    }

    /// Decodes a file, reading several blocks in parallel.
    /// - Parameter parallel: The number of blocks read at the same time.
    package static func decode(_ bytes: ByteBuffer, parallel: Int) async throws(CatalogError) -> CatalogFile {
        let blocks = CSVBlocks.divide(bytes)
        guard blocks.count > 2, parallel > 1 else { return try decode(bytes) }
        var assembly = CatalogAssembly(bytes)
        try assembly.append(Result { () throws(CatalogError) in try CatalogBlock.read(blocks[0], table: nil) })
        let start = assembly
        let outcome = await withTaskGroup(of: (Int, Result<CatalogBlock, CatalogError>).self) {
            group -> Result<CatalogAssembly, CatalogError> in
            var assembly = start
            let table = assembly.table
            var (next, taken) = (1, 1)
            var pending: [Int: Result<CatalogBlock, CatalogError>] = [:]
            while taken < blocks.count {
                while next < blocks.count, next - taken < 2 * parallel {
                    let (index, block) = (next, blocks[next])
                    group.addTask { (index, Result { () throws(CatalogError) in try .read(block, table: table) }) }
                    next += 1
                }
                guard let (index, result) = await group.next() else { break }
                pending[index] = result
                while let block = pending.removeValue(forKey: taken) {
                    taken += 1
                    do throws(CatalogError) { try assembly.append(block) } catch { return .failure(error) }
                }
            }
            return .success(assembly)
        }
        assembly = try outcome.get()
        return try assembly.finish()
    }
}

/// Assembles a file from its blocks, in order.
private struct CatalogAssembly: Sendable {
    private(set) var table: CSVTable?
    private var file = CatalogFile()
    private var types = ValueTable<MediaType>()
    private var unreadDates = UnreadDates()
    private var cameras = ValueTable<CameraName>()
    private var rows = 0
    private var metadataRows: [Int] = []
    private var isSorted = true
    private let length: Int

    init(_ bytes: ByteBuffer) { length = bytes.readableBytes }

    mutating func append(_ result: Result<CatalogBlock, CatalogError>) throws(CatalogError) {
        let block: CatalogBlock
        do { block = try result.get() } catch { throw error.counted(after: rows) }
        if table == nil {
            table = block.table
            reserve(for: block)
        }
        metadataRows += block.metadataRows.map { $0 + rows }
        rows += block.rows
        file.parts += block.parts
        if let origin = block.generation {
            guard file.generation == nil else { throw .malformedRow(rows, .repeatedPath) }
            file.generation = origin
        }
        if let purge = block.purge {
            guard file.purge == nil else { throw .malformedRow(rows, .repeatedPath) }
            file.purge = purge
        }
        let before = file.rows.records.count
        isSorted = isSorted && block.isSorted
        let typeIndices = block.types.values.map { types.index(of: $0) }
        let dates = block.unreadDates.texts.map { unreadDates.index(of: $0) }
        let cameraIndices = block.cameras.values.map { cameras.index(of: $0) }
        let start = UInt32(file.rows.text.count)
        file.rows.text += block.text
        for var record in block.records {
            record.pathStart += start
            if record.hasFacts { record.type = typeIndices[Int(record.type)] }
            if let date = record.unreadDate { record.unreadDate = dates[Int(date)] }
            if let camera = record.camera { record.camera = Int(cameraIndices[camera]) }
            file.rows.records.append(record)
            if record.isPresent { file.rows.count += 1 }
            file.rows.highestCounter = max(file.rows.highestCounter, record.highestCounter)
        }
        if isSorted, before > 0, before < file.rows.records.count { isSorted = file.rows.isOrdered(before - 1, before) }
        guard file.rows.records.count <= CatalogCSV.entryLimit, file.parts.count <= CatalogCSV.entryLimit else {
            throw .tooLarge
        }
    }

    /// Reserves memory for all rows, assuming that rows have similar lengths.
    private mutating func reserve(for first: CatalogBlock) {
        guard length > 2 * CSVBlocks.length else { return }
        let blocks = length / CSVBlocks.length + 2
        file.rows.records.reserveCapacity(min(first.records.count * blocks, CatalogCSV.entryLimit))
        file.rows.text.reserveCapacity(min(first.text.count * blocks, length))
    }

    mutating func finish() throws(CatalogError) -> CatalogFile {
        guard let table else { throw .missingColumn(CatalogCSV.columns[0]) }
        (file.rows.types, file.rows.unreadDates) = (types.values, unreadDates.texts)
        file.rows.cameras = cameras.values
        file.hasTimestamps = table.optionalGroups > 0
        file.parts.sort { $0.digest < $1.digest }
        guard Set(file.parts.map(\.digest)).count == file.parts.count else { throw .malformedRow(rows, .repeatedPath) }
        if !isSorted, let repeated = file.rows.sort() {
            // Counts the header and the rows that are not entries.
            let row = metadataRows.sorted().reduce(repeated + 2) { $1 <= $0 ? $0 + 1 : $0 }
            throw .malformedRow(row, .repeatedPath)
        }
        return file
    }
}

extension Catalog {
    /// Returns whether a record sorts before another one; `false` if both have the same path and content.
    fileprivate func isOrdered(_ one: Int, _ other: Int) -> Bool {
        withPaths { paths in
            let order = paths[one].compared(to: paths[other])
            return order < 0 || (order == 0 && records[one].md5 < records[other].md5)
        }
    }

    /// Sorts the records. Returns the index of the first record with the same path and content as an earlier one.
    fileprivate mutating func sort() -> Int? {
        let records = records
        let (order, repeated) = withPaths { paths -> ([Int], Int?) in
            func compare(_ one: Int, _ other: Int) -> Int {
                let order = paths[one].compared(to: paths[other])
                guard order == 0 else { return order }
                let (mine, theirs) = (records[one].md5, records[other].md5)
                return mine == theirs ? 0 : mine < theirs ? -1 : 1
            }
            let order = records.indices.sorted { one, other in
                let order = compare(one, other)
                return order == 0 ? one < other : order < 0
            }
            let repeated = zip(order, order.dropFirst()).filter { compare($0, $1) == 0 }.map(\.1).min()
            return (order, repeated)
        }
        self.records = order.map { records[$0] }
        return repeated
    }
}

extension CatalogError {
    /// Returns the error with row numbers counted from the start of the file.
    fileprivate func counted(after rows: Int) -> CatalogError {
        guard case .malformedRow(let row, let problem) = self else { return self }
        return .malformedRow(row + rows, problem)
    }
}
