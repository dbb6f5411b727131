import Foundation
import ObjectStorage

/// A folder of objects that are in the database: its disk is not mounted, or was lost.
enum MissingFolder {
    static func text(_ path: String) -> String {
        "\(path) does not exist, but the database lists its objects. Mount its disk. If the files are lost, create the folder"
    }

    /// Fails if photos or thumbnails are in the database and their folder does not exist.
    static func check(_ root: String, _ index: ObjectIndex) throws(ObjectStoreError) {
        for name in ["photos", "thumbnails"] {
            let path = "\(root)/\(name)"
            guard access(path, F_OK) != 0, errno == ENOENT, try index.hasObjectsBlocking(below: "\(name)/") else {
                continue
            }
            throw .denied(text(path))
        }
    }
}
