import PhotoCatalog

/// A photo or video in a folder of a Takeout, with its description.
struct FoundPhoto {
    let file: Int
    let name: String
    var description: (file: Int, photo: TakeoutDescription.Photo, match: TakeoutMatcher.Kind)?
    /// Whether it is hidden though it has no description of its own: in doubt, as it can be shown again.
    var isHidden = false
    /// Whether it has no description and is in the folder of the trash, or has several and all are of the trash.
    var isInTrashFolder = false

    var isTrashed: Bool { description?.photo.isTrashed ?? isInTrashFolder }

    init(file: Int, name: String) { (self.file, self.name) = (file, name) }

    /// Photos and videos with one stem, such as the halves of a Live Photo: in the library they keep one stem.
    struct Group {
        fileprivate(set) var photos: [FoundPhoto]
        fileprivate let stem: String

        /// The stem without truncation, if that is certain.
        private var wholeStem: String? {
            guard let original = photos.first(where: { $0.description?.match == .original }),
                let title = original.description?.photo.title, !ExportedName.split(original.name).ending.isEmpty
            else { return nil }
            let (whole, ending) = ExportedName.split(ExportedName.normalized(title))
            // Names with replaced characters stay as they are.
            guard ending.lowercased() == ExportedName.split(original.name).ending.lowercased(),
                TakeoutName.sanitized(whole) == whole, whole.count > stem.count, whole.hasPrefix(stem),
                TakeoutName.units(original.name) >= TakeoutName.mediaLimit - 1, whole.utf8.count <= 200
            else { return nil }
            return whole
        }

        var isNameRestored: Bool { wholeStem != nil }

        /// The names in the library.
        var names: [String] { photos.map { (wholeStem ?? stem) + Self.ending(of: $0.name) } }

        private static func ending(of name: String) -> String { usual(ExportedName.split(name).ending) }

        /// The moving picture of a motion photo gets the extension of its format.
        private static func usual(_ ending: String) -> String { TakeoutEnding.isMotion(ending) ? ".mp4" : ending }

        /// Returns whether it has a file with an extension, in any case.
        fileprivate func has(_ ending: String) -> Bool {
            let ending = Self.usual(ending).lowercased()
            return photos.contains { Self.ending(of: $0.name).lowercased() == ending }
        }

        /// Returns whether a photo's own description dates it at another time: a library gives the files of a stem one
        /// date.
        fileprivate func isApart(from photo: FoundPhoto) -> Bool {
            guard let taken = photo.ownDate else { return false }
            return photos.contains { other in
                other.ownDate.map { abs($0.seconds - taken.seconds) > PhotoGroup.longestDistance } ?? false
            }
        }

        /// Whether they are the halves of a Live Photo or motion photo.
        var isLivePhoto: Bool {
            let endings = photos.map { TakeoutEnding.plain(Self.ending(of: $0.name)) }
            return endings.contains { ["jpg", "jpeg", "heic", "heif", "avif"].contains($0) }
                && endings.contains { ["mp4", "mov"].contains($0) }
        }
    }

    private var ownDate: Timestamp? { description.flatMap { $0.match == .original ? $0.photo.taken : nil } }

    static func groups(_ photos: [FoundPhoto]) -> [Group] {
        var groups: [Group] = []
        var known: [String: Int] = [:]
        for photo in photos {
            let (stem, ending) = ExportedName.split(photo.name)
            let shared = TakeoutEnding.isMotion(ending) ? photo.name : stem
            if let index = known[shared], !groups[index].has(ending), !groups[index].isApart(from: photo) {
                groups[index].photos.append(photo)
            } else {
                known[shared] = groups.count
                groups.append(Group(photos: [photo], stem: shared))
            }
        }
        return groups
    }
}

extension FolderKind {
    /// - Parameter album: The title in the folder's description of an album.
    init(_ path: String, album: String?) {
        let name = ExportedName.last(of: path)
        let isDated = TakeoutFolderName.isDate(name) && (album.map { $0 == name || $0.isEmpty } ?? true)
        if let year = TakeoutFolderName.year(name), album == nil || isDated {
            self = .year(year)
        } else if let album, !album.isEmpty {
            self = .album(album)
        } else if name.isEmpty || album != nil || TakeoutFolderName.isSpecial(name) {
            self = .other(name)
        } else {
            self = .album(name)
        }
    }
}
