import Foundation
import ObjectStorage
import Testing

@testable import DirectoryStorage

@Suite("Object file names")
struct FileNamingTests {
    @Test(
        "the file path is the key where that is safe, and escaped elsewhere",
        arguments: [
            ("photos/0b5e7b6c-32f4/d41d8cd9.dat", "photos/0b5e7b6c-32f4/d41d8cd9.dat"),
            ("catalogs/u/.photolala.d41d.csv", "catalogs/u/.photolala.d41d.csv"),
            ("photos/u/A.dat", "photos/u/%41.dat"), ("photos/u/a", "photos/u/a%"),
            ("photos/u/a/b.dat", "photos/u/a/b.dat"),
            ("photos/u/a.dat/b.dat", "photos/u/a.dat%/b.dat"), ("é.x", "%c3%a9.x"), ("e\u{301}.x", "e%cc%81.x"),
            ("a b.x", "a%20b.x"), ("%41.x", "%2541.x"), ("a.", "a%2e%"), ("con.txt", "%63on.txt"), ("com1", "%63om1%"),
            ("p/nul", "p/%6eul%"), ("console.x", "console.x"), ("com.x", "com.x"), (".incoming/x.y", "%2eincoming/x.y"),
            ("photolala.sqlite", "%70hotolala.sqlite"), ("photolala.sqlite-wal", "%70hotolala.sqlite-wal"),
            ("photos/photolala.sqlite", "photos/photolala.sqlite"), ("~.x", "%7e.x"), ("a:b.x", "a%3ab.x"),
        ])
    func escapes(_ key: String, _ path: String) { #expect(FileNaming.path(for: ObjectKey(known: key)) == path) }

    @Test("paths of different keys differ, even if case and accents are folded")
    func keepsKeysApart() {
        let pieces = ["a", "A", ".", "%", "%61", "é", "e\u{301}", "/", "~", "con", " ", "-"]
        var seen: [String: String] = [:]
        for one in pieces {
            for two in pieces {
                for three in pieces {
                    guard let key = ObjectKey("x/" + one + two + three) else { continue }
                    let path = FileNaming.path(for: key)
                    let folded = path.lowercased().precomposedStringWithCanonicalMapping
                    #expect(folded == path, "the file system has nothing to fold in \(path)")
                    let other = seen.updateValue(key.description, forKey: folded)
                    #expect(
                        other == nil || other?.utf8.elementsEqual(key.description.utf8) == true,
                        "\(key) and \(other ?? "")")
                }
            }
        }
        #expect(seen.count > 1000)
    }

    @Test("a file name is never the name of another object's folder")
    func keepsFoldersApart() {
        for name in ["a", "a.b", ".a", "a.", "A", "%", "é", "con", String(repeating: "x", count: 250)] {
            let file = FileNaming.path(for: ObjectKey(known: name))
            let folder = DurableFolders.parent(of: FileNaming.path(for: ObjectKey(known: "\(name)/x")))
            #expect(file != folder)
        }
    }

    @Test("the path of the longest key is within the limits of file systems")
    func staysShort() {
        let long = String(repeating: "Ü", count: 127)
        let one = FileNaming.path(for: ObjectKey(known: "photos/\(long).dat"))
        let other = FileNaming.path(for: ObjectKey(known: "photos/\(long).jpg"))
        #expect(one != other && one.hasPrefix("photos/~"))
        let deep = ObjectKey(known: Array(repeating: "ß", count: 341).joined(separator: "/"))
        let path = FileNaming.path(for: deep)
        #expect(path.utf8.count <= FileNaming.pathLimit)
        #expect(path.split(separator: "/").allSatisfy { $0.utf8.count <= 255 })
    }
}
