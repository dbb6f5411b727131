import AccountMaintenance
import Foundation
import ServiceWiring
import Transport

/// Searches names and contents of files. Follows symbolic links, and reads each file once.
struct FileSearch {
    /// Folders of people's objects, whose contents are not searched.
    private static let people: Set<String> = ["photos", "thumbnails", "catalogs", "users"]

    /// A file, whatever its names.
    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t
    }

    private let terms: SearchTerms
    private let report: (String, [SearchTerms.Kind]) -> Void
    private var seen: Set<Identity> = []
    /// The number of files whose contents were searched.
    private(set) var files = 0
    /// The links to nothing: what was there may be on a disk that is not mounted.
    private(set) var brokenLinks: [String] = []

    /// - Parameter report: receives each place that mentions a term, with the kinds of the terms found there.
    init(_ terms: SearchTerms, report: @escaping (String, [SearchTerms.Kind]) -> Void) {
        (self.terms, self.report) = (terms, report)
    }

    /// Searches a store's folder. Of people's objects only the names of their owners' folders: the other names are keys.
    /// A running server may remove files during the search.
    mutating func searchData(of folder: String) throws {
        _ = isNew(try status(of: folder))
        for name in try names(in: folder) {
            let path = "\(folder)/\(name)"
            guard Self.people.contains(name) else {
                try search(path, named: name)
                continue
            }
            if Self.isBrokenLink(path) { brokenLinks.append(path) }
            for owner in try names(in: path) { search(name: owner, of: "\(path)/\(owner)") }
        }
    }

    /// Searches a file or folder, which must exist.
    mutating func searchFile(_ path: String) throws {
        _ = try status(of: path)
        try search(path, named: URL(fileURLWithPath: path).lastPathComponent)
    }

    private func status(of path: String) throws -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.unreadable(path, errno) }
        return status
    }

    private mutating func isNew(_ status: stat) -> Bool {
        seen.insert(Identity(device: status.st_dev, number: status.st_ino)).inserted
    }

    private func search(name: String, of path: String) {
        let kinds = terms.kinds(in: Data(name.utf8))
        if !kinds.isEmpty { report("name of \(path)", kinds) }
    }

    private mutating func search(_ path: String, named name: String) throws {
        search(name: name, of: path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw Self.unreadable(path, errno) }
            if Self.isBrokenLink(path) { brokenLinks.append(path) }
            return
        }
        guard isNew(status) else { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: for entry in try names(in: path) { try search("\(path)/\(entry)", named: entry) }
        case S_IFREG: try searchContent(of: path)
        default: return  // Sockets and pipes have no content.
        }
    }

    /// Reads pieces of 8 MiB, which overlap by the longest term.
    private mutating func searchContent(of path: String) throws {
        let handle: FileHandle
        do throws(NamedFile.Problem) { handle = try InputFile.open(path) } catch {
            if error == .system(ENOENT) { return }
            throw StartProblem("cannot read \(path): \(error)")
        }
        files += 1
        var (found, rest) = (Set<SearchTerms.Kind>(), Data())
        while let piece = try handle.read(upToCount: 8 << 20), !piece.isEmpty {
            let data = rest + piece
            found.formUnion(terms.kinds(in: data))
            rest = Data(data.suffix(terms.longest))
        }
        if !found.isEmpty { report("file \(path)", SearchTerms.Kind.allCases.filter(found.contains)) }
    }

    /// Returns the names in a folder, a database's log before the database: a checkpoint in between moves rows from the
    /// one to the other. An unreadable folder is an error, not an empty one.
    private func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .sorted { $0.hasSuffix("-wal") && !$1.hasSuffix("-wal") }
        } catch {
            if !FileManager.default.fileExists(atPath: folder) { return [] }
            throw StartProblem("cannot read \(folder): \(error.localizedDescription)")
        }
    }

    private static func isBrokenLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
            && access(path, F_OK) != 0 && errno == ENOENT
    }

    private static func unreadable(_ path: String, _ code: CInt) -> StartProblem {
        StartProblem("cannot read \(path): \(String(cString: strerror(code)))")
    }
}
