import PhotoCatalog

/// A resource that a backup had committed and that a later listing of its source did not find.
struct MissingResource: Sendable, Equatable {
    let asset: String
    /// The content that the library has at its path.
    let md5: ContentDigest
    /// Whether the source reported its removal. Otherwise the resource may only be inaccessible.
    var isRemoved: Bool
    /// The day, counted from 1970, on which its entry was moved to the trash; `nil` if that has not happened.
    var trashed: Int?
}

extension AssetIndex {
    /// Determines what is missing after a listing.
    /// - Parameters:
    ///   - earlier: The index before the listing.
    ///   - removed: The assets whose removal the source reported.
    ///   - recordsNew: Whether resources that are missing since this listing are recorded.
    ///   - committed: Returns the content that the library has at a path.
    mutating func recordMissing(
        since earlier: AssetIndex, removed: Set<String>, recordsNew: Bool,
        committed: (LibraryPath) -> ContentDigest?
    ) {
        missing = earlier.missing.filter { items[$0.key] == nil || $0.value.trashed != nil }
        guard recordsNew else { return }
        for (path, item) in earlier.items where items[path] == nil {
            guard let md5 = committed(path) else { continue }
            missing[path] = MissingResource(asset: item.asset, md5: md5, isRemoved: false)
        }
        for (path, resource) in missing where resource.trashed == nil {
            // An asset that is listed has exactly the resources of its description.
            let isListed = paths[resource.asset] != nil
            if isListed || removed.contains(resource.asset) { missing[path]?.isRemoved = true }
        }
    }
}

/// Determines which entries a sync moves to the trash because their assets were removed, and which ones it restores
/// because their assets returned.
struct SourceRemovals {
    /// Removals of this many days count together, so that a library that shrinks in several steps is noticed.
    private static let recentDays = 2
    /// After this many days an asset that returns does not restore its entry. The trash itself keeps photos for 30 days.
    private static let rememberedDays = 60

    let settings: SourceSyncSettings
    /// The current day, counted from 1970.
    let today: Int
    let device: DeviceTag

    /// What a sync does with the missing resources.
    struct Plan: Sendable {
        var trashed: [LibraryPath] = []
        var restored: [LibraryPath] = []
        /// The number of removed assets whose entries stay, because there are too many.
        var heldAssets = 0
        var changes: [CatalogChange] = []
        /// What is missing once the changes are committed.
        var missing: [LibraryPath: MissingResource] = [:]
    }

    /// Returns whether nothing has to be compared with the catalog.
    func isSettled(_ index: AssetIndex) -> Bool {
        index.missing.allSatisfy { path, resource in
            resource.trashed == nil ? !resource.isRemoved : index.items[path] == nil
        }
    }

    /// - Parameter committed: Returns the content that the library has at the path of a resource.
    func plan(_ index: AssetIndex, _ catalog: Catalog, committed: (LibraryPath) -> ContentDigest?) -> Plan {
        var plan = Plan(missing: index.missing.filter { !isForgotten($0.value) })
        var removals: [LibraryPath: MissingResource] = [:]
        for (path, resource) in index.missing {
            if resource.trashed != nil, index.items[path] != nil {
                // The resource is back. It may not have been read yet.
                guard let md5 = committed(path) else { continue }
                plan.missing[path] = nil
                guard md5 == resource.md5, catalog.isTrashed(path, resource.md5, by: device) else {
                    continue
                }
                plan.restored.append(path)
                plan.changes.append(.restoreFromTrash(path, resource.md5))
            } else if resource.trashed == nil, resource.isRemoved {
                if catalog.holds(path, resource.md5) {
                    removals[path] = resource
                } else if catalog.isTrashed(path, resource.md5, by: device) {
                    // An earlier sync ended after its commit.
                    plan.missing[path]?.trashed = today
                } else {
                    plan.missing[path] = nil
                }
            }
        }
        let losses = lostAssets(removals, index, committed)
        let isHeld = isTooMuch(losses.count, index)
        plan.heldAssets = isHeld ? losses.count : 0
        for (path, resource) in removals where !isHeld || !losses.contains(resource.asset) {
            plan.trashed.append(path)
            plan.changes.append(.trash(path, resource.md5))
            // Confirmed removals do not count as recent ones.
            plan.missing[path]?.trashed = settings.trashesAll ? today - Self.recentDays : today
        }
        plan.trashed.sort()
        plan.restored.sort()
        plan.changes.sort { $0.path < $1.path }
        return plan
    }

    private func isForgotten(_ resource: MissingResource) -> Bool {
        resource.trashed.map { $0 + Self.rememberedDays < today } ?? false
    }

    /// Returns the removed assets with a content that no other resource of the source has.
    private func lostAssets(
        _ removals: [LibraryPath: MissingResource], _ index: AssetIndex, _ committed: (LibraryPath) -> ContentDigest?
    ) -> Set<String> {
        guard !removals.isEmpty else { return [] }
        var lost = Set(removals.values.map(\.md5))
        for path in index.items.keys { if let md5 = committed(path) { lost.remove(md5) } }
        return Set(removals.values.filter { lost.contains($0.md5) }.map(\.asset))
    }

    private func isTooMuch(_ lost: Int, _ index: AssetIndex) -> Bool {
        guard lost > 0, !settings.trashesAll else { return false }
        let recent = Set(
            index.missing.values.filter { ($0.trashed ?? .min) > today - Self.recentDays }.map(\.asset)
        ).count
        return index.items.isEmpty
            || lost + recent > SyncSettings.maximumLosses(of: index.paths.count + lost + recent)
    }
}
