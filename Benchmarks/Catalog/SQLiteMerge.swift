/// The same import and merge for the `sqlite3` shell, in memory.
enum SQLiteMerge {
    private static let columns =
        "path, md5, size, modified, taken, type, width, height, orientation, added, trashed, trash_changed"

    /// - Parameter merged: A file for the result. Without one, the script prints the number of entries.
    static func script(_ one: String, _ other: String, merged: String? = nil) -> String {
        """
        .mode csv
        .import \(one) one
        .import \(other) other
        CREATE TABLE merged (\(columns), PRIMARY KEY (path, md5)) WITHOUT ROWID;
        INSERT INTO merged SELECT * FROM one;
        INSERT INTO merged SELECT * FROM other WHERE true ON CONFLICT (path, md5) DO UPDATE SET
        \(latest(["size", "taken", "type", "width", "height", "orientation", "added"], by: "added")),
        \(latest(["trashed", "trash_changed"], by: "trash_changed")),
        modified = min(modified, excluded.modified);
        \(merged.map { ".mode list\n.headers on\n.separator , \"\\n\"\n.output \($0)\nSELECT * FROM merged ORDER BY path, md5;" }
            ?? "SELECT count(*) FROM merged WHERE trashed = '';")

        """
    }

    /// Columns follow their register's timestamp: a counter, then a device.
    private static func latest(_ columns: [String], by stamp: String) -> String {
        let newer = "(CAST(excluded.\(stamp) AS INTEGER), excluded.\(stamp)) > (CAST(\(stamp) AS INTEGER), \(stamp))"
        return columns.map { "\($0) = CASE WHEN \(newer) THEN excluded.\($0) ELSE \($0) END" }.joined(separator: ",\n")
    }
}
