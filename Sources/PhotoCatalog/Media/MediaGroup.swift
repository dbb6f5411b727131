/// Files of one folder that belong together, determined by their names alone: the two halves of a Live Photo, a RAW
/// picture with its developed version, an edited picture with its original, and the sidecars of each.
///
/// An operation on one of them, such as a restore or a deletion, applies to all of them.
package struct MediaGroup: Sendable, Equatable {
    /// The main file of the group.
    package let primary: LibraryPath
    /// The other files, sorted by bytes.
    package let companions: [LibraryPath]

    /// Returns a selection with all files of each group that has a selected file.
    static func completed(
        _ wanted: Set<LibraryPath>, among files: [(path: LibraryPath, type: MediaType)]
    ) -> Set<LibraryPath> {
        var wanted = wanted
        for group in groups(of: files).groups where !group.companions.isEmpty {
            let all = [group.primary] + group.companions
            if all.contains(where: wanted.contains) { wanted.formUnion(all) }
        }
        return wanted
    }

    /// Divides files into groups.
    /// - Returns: The groups, sorted by their primary files, and the sidecars whose photo is not among the files.
    package static func groups(
        of files: [(path: LibraryPath, type: MediaType)]
    ) -> (groups: [MediaGroup], strays: [LibraryPath]) {
        // Keyed by bytes, because paths are compared by bytes.
        var folders: [[UInt8]: FolderGroups] = [:]
        for file in files.sorted(by: { $0.path < $1.path }) where !file.type.isSidecar {
            folders[Array(file.path.folder.utf8), default: FolderGroups()].add(file.path, file.type)
        }
        var strays: [LibraryPath] = []
        for file in files.sorted(by: { $0.path < $1.path }) where file.type.isSidecar {
            if folders[Array(file.path.folder.utf8)]?.attach(file.path) != true { strays.append(file.path) }
        }
        let groups = folders.values.flatMap(\.groups).sorted { $0.primary < $1.primary }
        return (groups, strays)
    }
}

/// The groups of one folder while they are built.
private struct FolderGroups {
    /// A position that a group has once: two pictures with the same name and type are two photos.
    private struct Slot: Hashable {
        let role: Role
        let isEdited: Bool

        var isAlone: Bool { role == .alone }

        /// The sort order: developed picture, RAW, video, each with the original before the edited version.
        var rank: Int { role.rawValue * 2 + (isEdited ? 1 : 0) }
    }

    private enum Role: Int {
        case developed, raw, video, alone
    }

    private struct Members {
        var slots: [Slot: LibraryPath] = [:]
        var sidecars: [LibraryPath] = []

        var isAlone: Bool { slots.keys.contains { $0.isAlone } }

        func accepts(_ slot: Slot) -> Bool { !isAlone && slots[slot] == nil }
    }

    private var all: [Members] = []
    /// The index of the group of each picture or video by its whole name, and of each stem that several types can
    /// share. Keyed by bytes: different Unicode normalization forms are different names.
    private var byName: [[UInt8]: Int] = [:]
    private var byStem: [[UInt8]: Int] = [:]
    /// All names, sorted by bytes.
    private var names: [[UInt8]] = []

    /// Adds a photo or video. Must be called in the order of the paths' bytes.
    mutating func add(_ path: LibraryPath, _ type: MediaType) {
        let name = MediaName(path.name)
        let (bytes, stem) = (Array(path.name.utf8), Array(name.shared.utf8))
        let slot = Slot(role: role(type), isEdited: name.isEdited)
        names.append(bytes)
        if !slot.isAlone, let index = byStem[stem], all[index].accepts(slot) {
            byName[bytes] = index
            all[index].slots[slot] = path
            return
        }
        byName[bytes] = all.count
        // A picture whose type is never grouped does not keep the stem if a file follows whose type can be grouped.
        if byStem[stem].map({ !slot.isAlone && all[$0].isAlone }) ?? true { byStem[stem] = all.count }
        all.append(Members(slots: [slot: path]))
    }

    /// Adds a sidecar to the group of its photo; returns `false` if there is none.
    mutating func attach(_ path: LibraryPath) -> Bool {
        guard let name = SidecarName(path.name), let index = groupIndex(for: name) else { return false }
        all[index].sidecars.append(path)
        return true
    }

    private func groupIndex(for sidecar: SidecarName) -> Int? {
        if let index = sidecar.photoNames.lazy.compactMap({ byName[Array($0.utf8)] }).first { return index }
        if let stem = sidecar.stem { return byStem[Array(stem.utf8)] }
        guard let cut = sidecar.cutName.map({ Array($0.utf8) }) else { return nil }
        let first = names.partitioningIndex { !$0.lexicographicallyPrecedes(cut) }
        return first < names.count && names[first].starts(with: cut) ? byName[names[first]] : nil
    }

    var groups: [MediaGroup] {
        all.compactMap { members in
            let order = members.slots.sorted { $0.key.rank < $1.key.rank }.map(\.value)
            return order.first.map {
                MediaGroup(primary: $0, companions: (order.dropFirst() + members.sidecars).sorted())
            }
        }
    }

    private func role(_ type: MediaType) -> Role {
        if type.isRAW { return .raw }
        switch type {
        case .jpeg, .heic, .heif, .avif: return .developed
        case .quickTime, .mp4: return .video
        default: return .alone
        }
    }
}

extension Array {
    /// Returns the index of the first element for which a condition holds. All such elements must be at the end of the
    /// array.
    fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
