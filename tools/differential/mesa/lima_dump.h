/* What Mesa's stand-alone lima compiler does not write: the code that it made and where everything is, as JSON in a file beside the
 * source (SOURCE.json), from which lima.py makes an MBS file. build.sh puts the calls into its main program. */

static void dump_type(FILE *file, const struct glsl_type *type)
{
   unsigned length = 0;
   if (glsl_type_is_array(type)) {
      length = glsl_get_length(type);
      type = glsl_get_array_element(type);
   }
   fprintf(file, "{\"length\": %u, \"slots\": %u", length, glsl_count_attribute_slots(type, false));
   if (glsl_type_is_struct(type)) {
      fprintf(file, ", \"fields\": [");
      for (unsigned i = 0; i < glsl_get_length(type); i++) {
         fprintf(file, "%s{\"name\": \"%s\", \"type\": ", i ? ", " : "", glsl_get_struct_elem_name(type, i));
         dump_type(file, glsl_get_struct_field(type, i));
         fprintf(file, "}");
      }
      fprintf(file, "]");
   }
   fprintf(file, ", \"name\": \"%s\"}", glsl_get_type_name(type));
}

static void dump_variables(FILE *file, nir_shader *nir, const char *name, nir_variable_mode mode)
{
   bool first = true;
   fprintf(file, ", \"%s\": [", name);
   nir_foreach_variable_with_modes(var, nir, mode) {
      fprintf(file, "%s{\"name\": \"%s\", \"at\": %u, \"component\": %u, \"binding\": %u, \"precision\": %u, \"type\": ", first ? "" : ", ",
              var->name, var->data.driver_location, var->data.location_frac, var->data.binding, var->data.precision);
      dump_type(file, var->type);
      fprintf(file, "}");
      first = false;
   }
   fprintf(file, "]");
}

static void dump_words(FILE *file, const char *name, const void *words, unsigned bytes)
{
   fprintf(file, ", \"%s\": [", name);
   for (unsigned i = 0; i < bytes / 4; i++)
      fprintf(file, "%s%u", i ? ", " : "", ((const uint32_t *)words)[i]);
   fprintf(file, "]");
}

/* What a linker and the driver do, which the stand-alone compiler does without: samplers are numbered in the order in which they are
 * declared, uniforms are read from rows, and mix() is written out. */
static void prepare(nir_shader *nir)
{
   unsigned next = 0;
   nir_foreach_variable_with_modes(var, nir, nir_var_uniform) {
      const struct glsl_type *type = glsl_without_array(var->type);
      if (!glsl_type_is_sampler(type))
         continue;
      var->data.binding = next;
      var->data.explicit_binding = true;
      next += glsl_type_is_array(var->type) ? glsl_get_length(var->type) : 1;
   }
   NIR_PASS_V(nir, nir_lower_io, nir_var_uniform, st_glsl_type_size, 0);
   NIR_PASS_V(nir, nir_lower_flrp, 16 | 32 | 64, false);
}

static FILE *dump_file(const char *source)
{
   char path[4096];
   snprintf(path, sizeof(path), "%s.json", source);
   return fopen(path, "w");
}

static void dump_interface(FILE *file, nir_shader *nir)
{
   fprintf(file, ", \"rows\": %u", nir->num_uniforms);
   dump_variables(file, nir, "uniforms", nir_var_uniform);
   dump_variables(file, nir, "inputs", nir_var_shader_in);
   dump_variables(file, nir, "outputs", nir_var_shader_out);
   fprintf(file, "}\n");
   fclose(file);
}

static void dump_vertex(const char *source, nir_shader *nir, bool made, struct lima_vs_compiled_shader *vs)
{
   FILE *file = made ? dump_file(source) : NULL;
   if (!file)
      return;
   fprintf(file, "{\"stage\": \"vert\", \"prefetch\": %d", vs->state.prefetch);
   dump_words(file, "code", vs->shader, vs->state.shader_size);
   dump_words(file, "constants", vs->constant, vs->state.constant_size);
   dump_interface(file, nir);
}

static void dump_fragment(const char *source, nir_shader *nir, bool made, struct lima_fs_compiled_shader *fs)
{
   FILE *file = made ? dump_file(source) : NULL;
   if (!file)
      return;
   fprintf(file, "{\"stage\": \"frag\", \"discard\": %d, \"colour\": %d, \"stack\": %d", nir->info.fs.uses_discard, fs->state.frag_color0_reg,
           fs->state.stack_size);
   dump_words(file, "code", fs->shader, fs->state.shader_size);
   dump_interface(file, nir);
}
