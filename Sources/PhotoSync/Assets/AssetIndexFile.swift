import NIOCore
import PhotoCatalog

/// The stored index of a source. Changes are appended; the file is rewritten if most of its rows are obsolete or one is
/// damaged.
struct AssetIndexFile: Sendable {
    let index: AssetIndex
    /// `nil` if nothing is stored, because another process has the file open or it cannot be written.
    private let file: JournalFile?
    private let lines: Int
    private let isDamaged: Bool

    /// Opens the file. Blocks.
    /// - Parameter isReadOnly: Whether nothing is stored.
    init(_ path: String, isReadOnly: Bool) {
        file = isReadOnly ? nil : try? JournalFile(path)
        var rows: [AssetRow] = []
        var (lines, isDamaged) = (0, false)
        do throws(FileError) {
            try JournalFile.forEachLine(of: path) { line in
                lines += 1
                if let row = AssetRow(line: line) { rows.append(row) } else { isDamaged = true }
            }
        } catch { isDamaged = error != .missing }
        var index = AssetIndex(rows)
        // A lost row can be that of an asset that has not changed since the token.
        if isDamaged { index.token = nil }
        (self.index, self.lines, self.isDamaged) = (index, lines, isDamaged)
    }

    private init(index: AssetIndex, file: JournalFile?, lines: Int) {
        (self.index, self.file, self.lines, isDamaged) = (index, file, lines, false)
    }

    /// Stores a later state. If that fails, the next backup lists all assets again. Blocks.
    func updated(to next: AssetIndex) -> AssetIndexFile {
        let rows = next.rows(since: index)
        guard let file else { return AssetIndexFile(index: next, file: nil, lines: lines) }
        let marks = next.marks.values.reduce(0) { $0 + $1.count }
        do throws(FileError) {
            if isDamaged
                || lines + rows.count > 2 * (next.items.count + next.missing.count + marks) + 1000
            {
                let all = next.rows
                return AssetIndexFile(index: next, file: try file.replaced(with: Self.text(of: all)), lines: all.count)
            }
            if !rows.isEmpty { try file.append(Self.text(of: rows)) }
            return AssetIndexFile(index: next, file: file, lines: lines + rows.count)
        } catch {
            return AssetIndexFile(index: next, file: nil, lines: lines)
        }
    }

    private static func text(of rows: [AssetRow]) -> ByteBuffer {
        var bytes = ByteBuffer()
        for row in rows { bytes.writeBytes(row.line) }
        return bytes
    }
}
