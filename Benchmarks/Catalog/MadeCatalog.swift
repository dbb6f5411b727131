import Foundation

/// A deterministic catalog: entries with the same number describe the same photo, written by different devices.
struct MadeCatalog {
    let first: Int
    let count: Int

    private static let header =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed\n"

    func write(to file: String) throws {
        var text = Self.header
        text.reserveCapacity(count * 160)
        for number in first..<first + count { text += row(number) }
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    private func row(_ number: Int) -> String {
        let (high, low) = (Self.mixed(UInt64(number)), Self.mixed(UInt64(number) &+ 1 << 40))
        let md5 = String(format: "%016lx%016lx", high, low)
        let folder = String(
            format: "%04d/%02d/%02d", 1990 + number / 40_000, number / 3300 % 12 + 1, number / 110 % 28 + 1)
        let path = String(format: "%09d/%@/IMG_%09d.jpg", number / 110, folder, number)
        let time = String(
            format: "2024-%02d-%02dT%02d:%02d:%02d", low % 12 + 1, low % 28 + 1, low % 24, low % 60, high % 60)
        // The second device has changed one entry in 7 and moved one in 50 to the trash.
        let isChanged = first > 0 && number % 7 == 0
        let added = "\(number % 5000 + (isChanged ? 5000 : 1))@0000000\(first > 0 ? 2 : 1)"
        let trash = first > 0 && number % 50 == 0 ? "2025-01-01T00:00:00Z,9000@00000002" : ","
        return
            "\(path),\(md5),\(high % 9_000_000),\(time).\(low % 899 + 100)1Z,\(time)Z,image/jpeg,4032,3024,\(low % 8 + 1),"
            + "\(added),\(trash)\n"
    }

    /// The SplitMix64 mixing function.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
