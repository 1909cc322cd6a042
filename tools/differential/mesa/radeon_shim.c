/* What Mesa's no-op shim of the radeon kernel driver (src/amd/drm-shim) lacks to be found on a machine without such a card: the
 * files that libdrm reads of a PCI device. The shim's own start is renamed by the build (build.sh) and called from here. */

#include "drm-shim/drm_shim.h"

void radeon_shim_start(void);

/* The shim links no more of Mesa than it calls, and this is never reached. */
int util_set_thread_affinity(void)
{
   return 0;
}

static void device_file(const char *name, const char *text)
{
   drm_shim_override_file(text, "/sys/dev/char/%d:%d/device/%s", DRM_MAJOR, render_node_minor, name);
}

void drm_shim_driver_init(void)
{
   radeon_shim_start();
   device_file("uevent", "DRIVER=radeon\nPCI_CLASS=30000\nPCI_ID=1002:9440\nPCI_SUBSYS_ID=1002:0001\nPCI_SLOT_NAME=0000:01:00.0\n");
   device_file("revision", "0x0\n");
   device_file("vendor", "0x1002\n");
   device_file("device", "0x9440\n");
   device_file("subsystem_vendor", "0x1002\n");
   device_file("subsystem_device", "0x0001\n");
}
